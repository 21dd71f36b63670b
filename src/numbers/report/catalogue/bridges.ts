/** The amounts whose difference from the plan a bridge takes apart. */
export const BRIDGES = ['cost', 'fees', 'revenue', 'profit'] as const;

export type Bridge = (typeof BRIDGES)[number];

/** The effects in their order; hours that become billable or not have no effect on cost. */
export const EFFECTS = ['volume', 'project_mix', 'role_mix', 'people', 'unpriced', 'billability', 'rate'] as const;

export type Effect = (typeof EFFECTS)[number];

/** The amounts that effects have: revenue has those of fees, and what contracts change of them. */
type EffectOn = Exclude<Bridge, 'revenue'>;

export type BridgeEffect = `${EffectOn}_${Effect}`;

const UNKNOWN_HOURS: Readonly<Record<Bridge, readonly string[]>> = {
  cost: ['cost'],
  fees: ['bill'],
  revenue: ['bill'],
  profit: ['cost', 'bill'],
};

export function effectsOf(bridge: Bridge): readonly Effect[] {
  return EFFECTS.filter((effect) => bridge !== 'cost' || effect !== 'billability');
}

/** A step of a bridge: an effect, or on revenue and profit what contracts pay more or less than the value of work. */
type NamedStep = Effect | 'contract';

/** Returns the steps of a bridge in their order. */
export function stepsOf(bridge: Bridge): readonly NamedStep[] {
  const isByContract = bridge === 'profit' || bridge === 'revenue';
  return isByContract ? [...effectsOf(bridge), 'contract'] : effectsOf(bridge);
}

/** Returns the names of the measures of a bridge, from the plan to the actual amount, then hours without a rate. */
export function measuresOfBridge(bridge: Bridge): string[] {
  return [
    `scheduled_to_date_${bridge}`,
    ...stepsOf(bridge).map((step) => `${step === 'contract' ? bridge : amountOf(bridge)}_${step}_effect`),
    `actual_${bridge}`,
    ...UNKNOWN_HOURS[bridge].flatMap((rate) =>
      ['scheduled', 'actual'].map((kind) => `${kind}_hours_without_${rate}_rate`),
    ),
  ];
}

function amountOf(bridge: Bridge): EffectOn {
  return bridge === 'revenue' ? 'fees' : bridge;
}

/** Returns the amount and the effect that a measure names. */
export function partsOfEffect(name: BridgeEffect): [amount: EffectOn, effect: Effect] {
  const [amount = ''] = name.split('_', 1);
  return [amount as EffectOn, name.slice(amount.length + 1) as Effect];
}

/** Returns the names of the measures of which an effect on profit is the difference. */
export function effectsOnProfit(name: BridgeEffect): string[] {
  const [, effect] = partsOfEffect(name);
  return (['fees', 'cost'] as const)
    .filter((bridge) => effectsOf(bridge).includes(effect))
    .map((bridge) => `${bridge}_${effect}_effect`);
}
