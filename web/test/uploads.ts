import { vi } from 'vitest'

export class Upload extends EventTarget {
  upload = new EventTarget()
  status = 0
  responseText = ''
  aborted = false
  form!: FormData
  get id() {
    return String(this.form.get('client_id'))
  }
  get file() {
    return this.form.get('file') as File
  }
  open() {}
  setRequestHeader() {}
  getResponseHeader = () => null
  abort() {
    this.aborted = true
    this.dispatchEvent(new Event('abort'))
  }
  moves(part: number) {
    const [total, loaded] = [1000, part * 1000]
    this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total }))
  }
  ends(status: number, body: object | string = {}) {
    this.status = status
    this.responseText = typeof body === 'string' ? body : JSON.stringify(body)
    this.dispatchEvent(new Event('load'))
  }
  breaks() {
    this.dispatchEvent(new Event('error'))
  }
}

/** Replaces XMLHttpRequest, which sends files because it reports their progress. */
export const takeUploads = (take: (upload: Upload) => unknown) =>
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends Upload {
      send(form: FormData) {
        this.form = form
        take(this)
      }
    },
  )
