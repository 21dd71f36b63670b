/**
 * The headers that programs and people write, folded, by the meaning of their column, in English, German, French and some other
 * languages. The units that some put in brackets behind them don't count, but for those of hours.
 */
export const HEADERS = {
  person:
    'full_name|user|username|user_name|person|employee|employee_name|team_member|member|resource|person_name|author|who|alias|your_name|worker|worker_name|staff_member|staff|resource_name|contractor|contractor_name|consultant|mitarbeiter|mitarbeiterin|benutzer|collaborateur|salarié|personne|utilisateur|empleado|usuario|colaborador|medewerker|gebruiker|dipendente|utente|氏名|担当者|社員名',
  first_name:
    'first_name|given_name|forename|person_first_name|fname|vorname|prénom|voornaam|nombre|nome_próprio|primeiro_nome|förnamn|etunimi',
  last_name:
    'last_name|family_name|person_last_name|lname|surname|nachname|familienname|zuname|nom_de_famille|achternaam|apellido|apellidos|cognome|sobrenome|apelido|último_nome|efternamn|sukunimi',
  email: 'email|e-mail|mail|work_email|courriel|person_identifier',
  job_title: 'job_title|title|roles|position|role|role_name|funktion|fonction|poste',
  department: 'department|abteilung|département|service_(department)',
  client:
    'client|client_name|customer|customer_name|company|account_customer|kunde|kundin|auftraggeber|klant|cliente|顧客|顧客名',
  project:
    'project|project_name|projekt|projet|proyecto|projeto|progetto|jobcode|jobcode_1|job_name|プロジェクト|プロジェクト名|案件',
  project_code: 'project_code|project_number|project_identifier|project_key|projektnummer|code_projet',
  task: 'task|task_name|activity|activity_name|jobcode_2|issue|issue_summary|work_package|service|aufgabe|tätigkeit|leistung|tâche|activité|tarea|taak|activiteit|atividade|tarefa|attività|作業内容|作業',
  date: 'date|day|work_date|spent_date|spent_on|date_(spent)|started|start_date|datum|tag|jour|fecha|data|date_de_début|date_worked|local_date|entry_date|log_date|日付|作業日',
  start_time:
    'start_time|from|from_time|start|begin|beginn|von|in|clock_in|time_in|check_in|local_start_time|startzeit|début|heure_de_début|de|desde|van|från|dalle',
  end_time:
    'end_time|to|to_time|end|finish|ende|bis|out|clock_out|time_out|check_out|local_end_time|endzeit|fin|heure_de_fin|à|hasta|até|tot|till|alle|uit|ut',
  hours:
    'seconds|time_(seconds)|duration_(seconds)|duration_(s)|sekunden|duration_(h)|time_(h)|time_(hours)|hours|hrs|hours_spent|hours_worked|worked_hours|actual_hours|logged_hours|hours_logged|time_logged|time_tracked|tracked_time|log_hours|spent_hours|time_spent|time_spent_(seconds)|time_spent_(s)|time_spent_(h)|time_spent_(hours)|time_spent_(minutes)|time_spent_(min)|duration|time|dauer|durée|zeit|stunden|heures|horas|uren|ore|duración|duração|duur|durata|工数|工数(時間)|作業時間|稼働時間|units|duration_(decimal)|time_(decimal)|decimal_hours|dauer_(dezimal)|minutes|duration_(min)|time_(min)|duration_(minutes)|time_(minutes)|minuten|duration_(days)|time_(days)|days|tage',
  billable_time: 'billable_time|billable_hours|billable_duration|billable_minutes|billable_hours_(min)',
  other_time:
    'non-billable_time|non-billable_hours|non-billable_minutes|non_billable_hours|non_billable_minutes|nonbillable_hours',
  breaks:
    'break|breaks|break_time|raster|paus|break_(min)|break_(h)|lunch|pause|pausen|pausa|pauze|descanso|intervalo|休憩|休憩時間',
  unit: 'unit|uom|unit_of_measure|einheit|unité|unidad|unidade|eenheid|unità',
  billable:
    'billable|billable?|is_billable|is_it_billable?|abrechenbar|verrechenbar|facturable|facturable?|facturable_?|fatturabile|faturável|declarabel|billable_/_non-billable|facturabel|billability|billing_type|billing_status|billable_status',
  notes: 'notes|note|description|comment|comments|beschreibung|bemerkung|notizen|remarque|commentaire|work_description',
  row_id: 'worklog_id|entry_id|time_entry_id|time_entry_number|assignment_id',
  cost_rate:
    'cost_rate|costing_rate|kostensatz|interner_satz|coût_horaire|taux_de_coût|internal_rate|cost_to_business|cost_to_business_(per_hour)',
  bill_rate:
    'billable_rate|billing_rate|bill_rate|hourly_rate|hourly_price|rate|stundensatz|satz|valor_hora|precio_hora|tarifa|uurtarief|taux_horaire|tarif_horaire|default_hourly_rate',
  type: 'people_type|person_type|employment_type|type|art|typ',
  start_date:
    'start_date|start|start_on|starts_on|begin|beginn|eintritt|von|from|effective_date|valid_from|gültig_ab|début|date_d’entrée|date_de_début',
  end_date: 'end_date|end|finish|end_on|ends_on|finish_on|to|bis|ende|austritt|fin|date_de_fin|valid_to|gültig_bis',
  day_hours: 'hours/day|hours_per_day|daily_hours|minutes_per_day|stunden_pro_tag|allocation',
  total_hours: 'total_hours|work|amount_(hours)',
  amount: 'amount|cost|total_cost|price|betrag|kosten|montant|costs',
  currency: 'currency|currency_code|währung|devise|moneda|valuta',
  own_fees: 'billable_amount|amount_billable|billed_amount',
  own_cost: 'cost_amount|labor_cost|labour_cost',
  category: 'category|expense_category|kategorie|expense_type|catégorie',
  leave_type: 'leave_type|time_off_type|absence_type|abwesenheitsart|urlaubsart',
  status: 'status|stage|state',
  budget: 'budget|budget_total|estimated|estimated_(h)|estimate',
  budget_by: 'budget_by|budget_type',
  tentative: 'tentative',
  non_billable: 'non-billable|non_billable',
  tags: 'tags',
  holiday: 'holiday|holiday_name|feiertag|jour_férié|festivo',
  name: 'name|nom|naam|namn|nome|nombre|navn|nimi|nominativo',
} as const;

export type ColumnMeaning = keyof typeof HEADERS;

/** The meanings of columns that a relation tells, and the question about them. */
export interface FoundRoles {
  readonly headers: ReadonlyMap<ColumnMeaning, string>;
  readonly question: string | undefined;
}
