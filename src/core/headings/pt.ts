// Headings in Portuguese.
import type { Headings } from './headings.ts';

/** Portuguese, of Portugal and Brazil: Factorial, TOTVS, Gupy, Sage. */
export const pt: Headings = {
  firstname: 'Primeiro nome, Nome próprio, Prenome, Nomes próprios',
  firstnameBeside: 'Nome',
  lastname: 'Sobrenome, Último nome, Nome de família, Sobrenomes, Nomes de família',
  fullname:
    'Nome completo, Nome e sobrenome, Nome e apelido, Nome do colaborador, Nome do funcionário, Nome do trabalhador',
  email: `E-mail, Email, Endereço de e-mail, Endereço de email, Correio eletrónico, Correio eletrônico, Endereço eletrónico,
    E-mail corporativo, E-mail profissional, E-mail de trabalho, E-mail da empresa, E-mail institucional, E-mail comercial,
    Correio electrónico`,
  login: 'Nome de utilizador, Nome de usuário',
  telephone: 'Telefone, Número de telefone, Nº de telefone, N.º telefone, Fone',
  workPhone:
    'Telefone comercial, Telefone do trabalho, Telefone de trabalho, Telefone da empresa, Telefone profissional',
  mobile:
    'Telemóvel, Celular, Telefone celular, Número de telemóvel, Telefone móvel, Telemóvel da empresa, Celular corporativo',
  employeeId: `Matrícula, Número de funcionário, Número de colaborador, Número de matrícula, Nº funcionário, N.º de funcionário,
    Código do funcionário, Código do colaborador, N.º mecanográfico, Número mecanográfico, ID do funcionário`,
  startDate: 'Data de admissão, Data admissão, Data de contratação, Data de entrada, Data de ingresso, Admissão',
  endDate:
    'Data de demissão, Data demissão, Data de saída, Data de desligamento, Data de rescisão, Data de cessação, Último dia de trabalho',
  status:
    'Estado do colaborador, Situação do funcionário, Status do funcionário, Situação do colaborador, Ativo, Activo',
  gone: 'Excluído, Desligado, Demitido, Falecido, Motivo do desligamento, Motivo de saída, Não contatar, Bloqueado, Desativado, Inativo, Suspenso',
  group: 'Grupo, Grupos, Membro de',
  department: 'Departamento, Departamentos, Setor, Sector, Área, Divisão, Nome do departamento, Secção',
  team: 'Equipa, Equipe, Equipas, Equipes',
  unit: 'Unidade organizacional, Unidade, Unidade orgânica, Unidade de negócio',
  site: 'Local de trabalho, Localização, Filial, Escritório, Estabelecimento, Sede',
  class: 'Turma, Turmas',
  position: 'Cargo, Função, Posição, Categoria profissional, Título do cargo, Nome do cargo, Profissão',
  employer: 'Centro de custo, Centro de custos, Empresa, País, Companhia, Razão social',
  unsure: {
    lastname: 'Apelido, Apelidos',
    status: 'Estado, Situação',
    team: 'Time',
    startDate: 'Data de início, Data início',
    endDate:
      'Dt Demissão, Data demissão, Demissão, Fim do contrato, Data de fim, Data fim, Data de término, Data término',
    site: 'Local',
    position: 'Título',
  },
  work: 'trabalho, profissional, empresa, comercial, corporativo',
  notOurs: 'secundário, alternativo, pessoal, particular, privado, casa, emergência',
  statuses: {
    active: 'ativo, ativa, activo, em atividade, contratado, efetivo',
    leave: 'afastado, de licença, licença maternidade, férias, licença parental, baixa médica',
    ended: `inativo, inativa, demitido, desligado, aposentado, falecido, reformado, suspenso, bloqueado,
      rescindido, demitida, desligada, aposentada, falecida, reformada, suspensa, bloqueada,
      rescindida, cessado, cessada, saiu, rescisão, fim de contrato, demissão, desligamento`,
    future: 'admissão pendente, a admitir',
  },
  yes: 'sim, verdadeiro',
  no: 'não, falso',
};
