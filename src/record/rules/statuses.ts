import type { Rules } from './rules.ts';

export const statusRules: Rules = {
  async complete(_transaction, { values }, before) {
    const isOneDay = !before && (values['end_date'] ?? null) === null;
    return isOneDay ? { ...values, end_date: values['start_date'] ?? null } : values;
  },
};
