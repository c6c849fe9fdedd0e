// Headings in Chinese, traditional.
import type { Headings } from './headings.ts';

/** Chinese, traditional: 104, NUEiP. */
export const zhHant: Headings = {
  firstname: '',
  firstnameBeside: '名, 名字',
  lastname: '姓, 姓氏',
  fullname: '姓名, 員工姓名, 中文姓名, 同仁姓名, 人員姓名',
  email:
    '電子郵件, 電子信箱, 信箱, 電子郵件地址, 電郵, 公司信箱, 公司電子郵件, 公司電郵, 工作信箱, 企業信箱, 郵件地址, 電郵地址, 公司電子信箱, 公務信箱',
  login: '使用者名稱, 帳號, 登入帳號, 用戶名稱',
  telephone: '電話, 電話號碼, 聯絡電話',
  workPhone: '公司電話, 辦公室電話, 工作電話, 辦公電話',
  mobile: '手機, 手機號碼, 行動電話, 公司手機, 公務手機, 流動電話, 手機電話',
  employeeId: '員工編號, 工號, 員工代號, 職員編號, 員編, 員工號碼, 人員編號',
  startDate: '到職日, 到職日期, 入職日期, 報到日, 報到日期, 僱用日期, 入職日',
  endDate: '離職日, 離職日期, 最後工作日, 退職日期',
  status: '在職狀態, 員工狀態, 任職狀態, 人員狀態, 在職狀況',
  gone: '停用, 已離職',
  group: '群組, 組別, 所屬群組',
  department: '部門, 部門名稱, 所屬部門, 單位, 所屬單位, 部門別',
  team: '團隊, 小組, 團隊名稱',
  unit: '組織單位, 組織, 事業部',
  site: '工作地點, 上班地點, 據點, 辦公地點, 辦公室, 分公司, 廠區',
  class: '班級, 課程',
  position: '職稱, 職位, 職務, 職務名稱, 職位名稱, 角色, 頭銜',
  employer: '公司, 公司名稱, 國家, 成本中心, 企業',
  unsure: { status: '狀態', startDate: '開始日期', endDate: '結束日期, 合約到期日', telephone: '聯絡方式' },
  work: '工作, 公司, 辦公, 公務, 企業',
  notOurs: '個人, 私人, 家庭, 家用, 緊急, 主管',
  statuses: {
    active: '在職, 正式, 試用, 試用期, 有效, 啟用',
    leave: '留職停薪, 留停, 育嬰, 育嬰留停, 休假, 產假',
    ended: '離職, 已離職, 退休, 停用, 無效, 資遣, 離職人員, 解僱, 開除, 合約終止, 已退休, 辭職, 死亡',
    future: '待報到, 未到職',
  },
  yes: '是, 有',
  no: '否, 無',
};
