// Headings in Korean.
import type { Headings } from './headings.ts';

/** Korean: Flex, Shiftee, SAP. */
export const ko: Headings = {
  firstname: '',
  firstnameBeside: '이름',
  lastname: '성, 성씨',
  fullname: '성명, 사원명, 직원명, 직원 이름, 사원 이름, 구성원 이름, 성함',
  email:
    '이메일, 이메일 주소, 회사 이메일, 업무용 이메일, 전자우편, 메일, 메일 주소, 전자우편 주소, 회사 메일, 업무 이메일, 사내 이메일, 사내 메일, 회사 이메일 주소',
  login: '사용자 이름, 로그인 ID, 아이디',
  telephone: '전화번호, 전화',
  workPhone: '회사 전화, 회사 전화번호, 사무실 전화, 사무실 전화번호, 업무용 전화번호, 직장 전화',
  mobile: '휴대폰, 휴대폰 번호, 휴대전화, 핸드폰, 휴대전화번호, 핸드폰 번호, 휴대전화 번호, 업무용 휴대폰',
  employeeId: '사번, 사원번호, 직원번호, 사원 번호, 직원 번호, 직원 ID, 사원 ID',
  startDate: '입사일, 입사일자, 입사 일자, 입사 날짜, 입사년월일, 채용일',
  endDate: '퇴사일, 퇴사일자, 퇴직일, 퇴직일자, 퇴사 날짜, 퇴사년월일, 마지막 근무일',
  status: '재직상태, 재직 상태, 재직여부, 재직구분, 직원 상태, 고용 상태, 재직 여부',
  gone: '퇴사여부, 퇴직여부, 비활성',
  group: '그룹, 그룹명, 소속 그룹',
  department: '부서, 부서명, 소속, 소속 부서, 부문, 소속부서',
  team: '팀, 팀명, 소속팀',
  unit: '조직, 조직명, 본부, 조직 단위',
  site: '근무지, 근무 장소, 사업장, 사무실, 지점, 근무처',
  class: '학급',
  position: '직책, 직위, 직급, 직무, 직함, 역할',
  employer: '회사, 회사명, 국가, 코스트센터, 법인, 비용 센터',
  unsure: { status: '상태', startDate: '시작일', endDate: '종료일, 계약 종료일', telephone: '연락처' },
  work: '회사, 업무용, 업무, 직장, 사내, 사무실',
  notOurs: '개인, 자택, 집, 비상, 상사, 개인용',
  statuses: {
    active: '재직, 재직중, 재직 중, 활성, 근무, 정규직',
    leave: '휴직, 휴직중, 육아휴직, 출산휴가, 병가, 휴직 중',
    ended: '퇴사, 퇴직, 퇴사자, 비활성, 해고, 정년퇴직',
    future: '입사예정, 입사 예정, 입사대기',
  },
  yes: '예, 네',
  no: '아니오, 아니요',
};
