// Headings in Chinese, simplified.
import type { Headings } from './headings.ts';

/** Chinese, simplified: Beisen, DingTalk, Feishu. */
export const zhHans: Headings = {
  firstname: '',
  firstnameBeside: '名, 名字',
  lastname: '姓, 姓氏',
  fullname: '姓名, 员工姓名, 中文姓名, 职员姓名, 人员姓名',
  email:
    '电子邮箱, 邮箱, 邮箱地址, 电子邮件, 电子邮件地址, 企业邮箱, 公司邮箱, 工作邮箱, 办公邮箱, 电邮, 公司邮件地址, 单位邮箱',
  login: '用户名, 登录名, 账号, 登录账号',
  telephone: '电话, 电话号码, 联系电话',
  workPhone: '办公电话, 工作电话, 公司电话, 座机, 办公室电话',
  mobile: '手机, 手机号, 手机号码, 移动电话, 工作手机, 公司手机',
  employeeId: '工号, 员工编号, 员工号, 职工号, 员工工号, 员工ID, 人员编号, 职工编号',
  startDate: '入职日期, 入职时间, 入职日, 到岗日期, 雇佣日期',
  endDate: '离职日期, 离职时间, 离职日, 最后工作日',
  status: '员工状态, 在职状态, 人员状态, 雇佣状态, 任职状态',
  gone: '停用, 禁用, 已离职',
  group: '组, 群组, 用户组, 分组, 所属群组',
  department: '部门, 所属部门, 部门名称, 所在部门, 一级部门, 事业部',
  team: '团队, 小组, 班组, 团队名称',
  unit: '组织单位, 组织, 组织机构, 所属组织',
  site: '工作地点, 办公地点, 工作地, 办公地, 分公司, 工作城市, 办公室',
  class: '班级, 课程',
  position: '职位, 岗位, 职务, 职称, 岗位名称, 职位名称, 角色, 头衔',
  employer: '公司, 公司名称, 国家, 成本中心, 企业',
  unsure: {
    status: '状态',
    startDate: '开始日期, 开始时间',
    endDate: '结束日期, 合同到期日, 结束时间',
    telephone: '联系方式',
  },
  work: '工作, 公司, 办公, 企业, 单位',
  notOurs: '个人, 私人, 家庭, 紧急, 上级',
  statuses: {
    active: '在职, 正式, 试用, 试用期, 有效, 启用, 活跃, 全职, 兼职',
    leave: '休假, 产假, 病假, 停薪留职',
    ended: '离职, 已离职, 退休, 停用, 无效, 辞退, 辞职, 禁用, 离职人员, 解雇, 开除, 合同终止, 已退休, 已辞职, 死亡',
    future: '待入职, 未入职',
  },
  yes: '是, 对, 有, √',
  no: '否, 无, 不是',
};
