/** The amounts whose difference from the plan a bridge takes apart. */
export const BRIDGES = ['cost', 'fees', 'profit'] as const;

export type Bridge = (typeof BRIDGES)[number];

/** The effects in their order; hours that become billable or not have no effect on cost. */
export const EFFECTS = ['volume', 'project_mix', 'role_mix', 'people', 'unpriced', 'billability', 'rate'] as const;

export type Effect = (typeof EFFECTS)[number];

export type BridgeEffect = `${Bridge}_${Effect}`;

const UNKNOWN_HOURS: Readonly<Record<Bridge, readonly string[]>> = {
  cost: ['cost'],
  fees: ['bill'],
  profit: ['cost', 'bill'],
};

export function effectsOf(bridge: Bridge): readonly Effect[] {
  return EFFECTS.filter((effect) => bridge !== 'cost' || effect !== 'billability');
}

/** Returns the names of the measures of a bridge, from the plan to the actual amount, then hours without a rate. */
export function measuresOfBridge(bridge: Bridge): string[] {
  return [
    `scheduled_to_date_${bridge}`,
    ...effectsOf(bridge).map((effect) => `${bridge}_${effect}_effect`),
    `actual_${bridge}`,
    ...UNKNOWN_HOURS[bridge].flatMap((rate) =>
      ['scheduled', 'actual'].map((kind) => `${kind}_hours_without_${rate}_rate`),
    ),
  ];
}

/** Returns the amount and the effect that a measure names. */
export function partsOfEffect(name: BridgeEffect): [bridge: Bridge, effect: Effect] {
  const [bridge = ''] = name.split('_', 1);
  return [bridge as Bridge, name.slice(bridge.length + 1) as Effect];
}

/** Returns the names of the measures of which an effect on profit is the difference. */
export function effectsOnProfit(name: BridgeEffect): string[] {
  const [, effect] = partsOfEffect(name);
  return (['fees', 'cost'] as const)
    .filter((bridge) => effectsOf(bridge).includes(effect))
    .map((bridge) => `${bridge}_${effect}_effect`);
}
