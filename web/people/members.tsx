import { useParams } from 'react-router'
import { FindPerson } from './find-person.tsx'
import { PersonPage } from './person-page.tsx'

export default function Members() {
  const { id } = useParams()
  return id === undefined ? <FindPerson /> : <PersonPage key={id} id={Number(id)} />
}
