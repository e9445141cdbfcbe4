/** A number as it is stored, from one as people dial it. */
const stored = (dialled: string) => dialled.replace(/^0/, '+27').replaceAll(' ', '')
const day = (vetName: string, dialled: string, note = '') => ({
  vetName,
  contact: stored(dialled),
  na: false,
  note,
})
const closed = (note: string) => ({ vetName: '', contact: '', na: true, note })

export const CLINICS = [
  {
    name: 'democlinic',
    username: 'democlinic',
    clinic: 'Two Oaks Animal Clinic',
    address: '41 Main Road, Rondebosch, Cape Town, 7700',
    state: 'Western Cape',
    telephone: '021 555 0140',
    email: 'twooaks@demo.vetchat.example',
    comments: 'Opens at 07:30. Parking behind the building.',
    contacts: {
      mon: day('Dr Palesa Molefe', '082 555 0141'),
      tue: day('Dr Palesa Molefe', '082 555 0141'),
      wed: day('Dr Graham Hendricks', '082 555 0142'),
      thu: day('Dr Graham Hendricks', '082 555 0142'),
      fri: day('Dr Palesa Molefe', '082 555 0141', 'After 22:00 please send a message first.'),
      sat: day('Dr Imraan Jaffer', '082 555 0143', 'On call for emergencies only.'),
      sun: day('Dr Imraan Jaffer', '082 555 0143', 'On call for emergencies only.'),
    },
  },
  {
    name: 'kloof',
    username: 'kloofview',
    clinic: 'Kloof View Veterinary Practice',
    address: '3 Village Road, Kloof, 3610',
    state: 'KwaZulu-Natal',
    telephone: '031 555 0150',
    email: 'kloofview@demo.vetchat.example',
    comments: '',
    contacts: {
      mon: day('Dr Bongani Cele', '083 555 0151'),
      tue: day('Dr Bongani Cele', '083 555 0151'),
      wed: day('Dr Bongani Cele', '083 555 0151'),
      thu: day('Dr Liesl Marais', '083 555 0152'),
      fri: day('Dr Liesl Marais', '083 555 0152'),
      sat: day('Dr Liesl Marais', '083 555 0152', 'Until 13:00.'),
      sun: closed('Closed. Emergencies go to the animal hospital in Hillcrest.'),
    },
  },
] as const

export type ClinicName = (typeof CLINICS)[number]['name']
