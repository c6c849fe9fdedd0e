-- The employee id in a rejected row, which may stand in no single cell: who has it is not absent from the roster.

alter table rejects add column employee_id text;
