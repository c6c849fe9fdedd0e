-- The rejected rows of a person are found by the employee id too: such a row may lack its address, or have a new one.

create index rejects_employee on rejects (run_id, lower(employee_id)) where employee_id is not null;
