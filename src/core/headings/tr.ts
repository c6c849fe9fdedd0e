// Headings in Turkish.
import type { Headings } from './headings.ts';

/** Turkish: Logo, Mikro, Kolay İK. */
export const tr: Headings = {
  firstname: 'Ön ad, Ön adı, İlk ad, İlk adı',
  firstnameBeside: 'Ad, Adı, İsim, İsmi, Adları',
  lastname: 'Soyad, Soyadı, Soy ad, Soy adı, Soyisim, Soyismi, Aile adı',
  fullname:
    'Ad Soyad, Adı Soyadı, Ad ve soyad, Tam ad, İsim Soyisim, Personel adı, Çalışan adı, Adı ve soyadı, Personel adı soyadı, Çalışan adı soyadı',
  email:
    'E-posta, E-posta adresi, Eposta, E-mail adresi, Mail adresi, Kurumsal e-posta, İş e-postası, Şirket e-postası, Elektronik posta, İş e-posta, Kurumsal e-posta adresi, İş e-posta adresi, Şirket maili, E-posta (iş)',
  login: 'Kullanıcı adı',
  telephone: 'Telefon, Telefon numarası, Telefon no, Tel. no',
  workPhone: 'İş telefonu, Şirket telefonu, Ofis telefonu, İş telefon numarası, Telefon (iş)',
  mobile:
    'Cep telefonu, Cep, Cep numarası, Cep no, Mobil telefon, GSM, Şirket cep telefonu, Cep telefonu numarası, Cep tel.',
  employeeId:
    'Sicil no, Sicil numarası, Personel no, Personel numarası, Çalışan no, Çalışan numarası, Personel kodu, Personel sicil no, Çalışan kodu',
  startDate: 'İşe giriş tarihi, İşe başlama tarihi, İşe başlangıç tarihi, İşe alım tarihi',
  endDate: 'İşten çıkış tarihi, İşten ayrılma tarihi, İşten ayrılış tarihi, Ayrılış tarihi, Ayrılma tarihi',
  status: 'Durum, Çalışan durumu, Personel durumu, Aktif, Çalışma durumu',
  gone: 'Pasif, Askıya alındı',
  group: 'Grup, Gruplar, Grubu, Üyelikler',
  department: 'Departman, Departmanı, Bölüm, Bölümü, Departman adı, Bölüm adı, Müdürlük',
  team: 'Takım, Ekip, Takımı, Ekibi',
  unit: 'Birim, Organizasyon birimi, Birimi',
  site: 'Lokasyon, Çalışma yeri, İşyeri, Şube, Ofis, Konum, İş yeri, Lokasyonu, Şubesi',
  class: 'Sınıf, Sınıflar',
  position: 'Unvan, Ünvan, Unvanı, Görev, Pozisyon, Görevi, Ünvanı, Pozisyonu, Meslek, Rol, İş unvanı',
  employer: 'Masraf merkezi, Maliyet merkezi, Şirket, Firma, Ülke, İşveren',
  unsure: { startDate: 'Giriş tarihi, Başlangıç tarihi, Başlama tarihi', endDate: 'Çıkış tarihi, Bitiş tarihi' },
  work: 'iş, şirket, kurumsal, ofis',
  notOurs: 'kişisel, özel, ev, acil, yönetici',
  statuses: {
    active: 'aktif, çalışıyor, tam zamanlı, yarı zamanlı',
    leave: 'izinli, doğum izni, ücretsiz izin, raporlu, doğum izninde',
    ended: `pasif, ayrıldı, işten ayrıldı, emekli, çıkış yaptı, işten çıktı, inaktif, istifa, istifa etti,
      emekli oldu, işten çıkarıldı, eski çalışan, vefat, ayrılan`,
    future: 'başlayacak, aday',
  },
  yes: 'evet, doğru',
  no: 'hayır, yanlış',
};
