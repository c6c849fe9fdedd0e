// Headings in Romanian.
import type { Headings } from './headings.ts';

/** Romanian. */
export const ro: Headings = {
  firstname: 'Prenume, Prenumele',
  lastname: 'Nume de familie, Numele de familie',
  lastnameBeside: 'Nume, Numele',
  fullname:
    'Nume complet, Nume și prenume, Numele și prenumele, Nume Prenume, Nume angajat, Prenume și nume, Prenume Nume',
  email:
    'E-mail, Email, Adresă de e-mail, Adresă e-mail, Adresa de e-mail, Adresa email, Poștă electronică, E-mail serviciu, E-mail de serviciu, Email serviciu, Adresă de e-mail profesională, E-mail companie',
  login: 'Nume de utilizator, Nume utilizator',
  telephone: 'Telefon, Număr de telefon, Nr. telefon, Număr telefon, Numărul de telefon',
  workPhone: 'Telefon serviciu, Telefon de serviciu, Telefon birou, Telefon companie',
  mobile: 'Mobil, Telefon mobil, Număr de mobil, Mobil serviciu, Telefon mobil serviciu',
  employeeId: 'Număr angajat, Număr marcă, Nr. marcă, ID angajat, Cod angajat, Marcă angajat, Număr de angajat',
  startDate:
    'Data angajării, Dată angajare, Data angajare, Data începerii activității, Data de angajare, Prima zi de lucru',
  endDate:
    'Data plecării, Data încetării, Data încetării contractului, Data încetării activității, Dată încetare, Data concedierii, Ultima zi de lucru',
  status: 'Stare angajat, Statut angajat, Status, Activ, Status angajat',
  gone: 'Blocat, Dezactivat, Inactiv, Suspendat',
  group: 'Grup, Grupuri, Grupa, Membru în',
  department: 'Departament, Departamente, Compartiment, Secție, Direcție, Serviciu, Denumire departament',
  team: 'Echipă, Echipe, Echipa',
  unit: 'Unitate organizațională, Unitate',
  site: 'Locul de muncă, Loc de muncă, Locație, Sediu, Punct de lucru, Birou, Sucursală',
  class: 'Clasă, Clase',
  position: 'Funcție, Funcția, Post, Poziție, Denumire post, Rol, Ocupație, Denumire funcție, Postul',
  employer: 'Centru de cost, Companie, Firmă, Societate, Țară, Angajator',
  unsure: {
    employeeId: 'Marca, Marcă',
    startDate: 'Data începerii, Data început, Dată început',
    endDate: 'Data sfârșit, Data finalizării',
    status: 'Stare',
    position: 'Titlu',
  },
  work: 'serviciu, muncă, birou, companie, profesional',
  notOurs: 'personal, personală, privat, acasă, urgență, șef, manager',
  statuses: {
    active: 'activ, activă, angajat, în activitate',
    leave: 'concediu, concediu de maternitate, concediu medical, creștere copil',
    ended: `inactiv, plecat, concediat, demisionat, pensionat, suspendat, încetat, inactivă, plecată,
      concediată, demisionată, pensionată, suspendată, demisie, contract încetat, fost angajat,
      concediere`,
    future: 'viitor, în curs de angajare',
  },
  yes: 'da, adevărat',
  no: 'nu, fals',
};
