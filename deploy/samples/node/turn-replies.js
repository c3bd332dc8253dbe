// Prints the final reply of each turn, a line each: session, turn and reply, with tabs between. It goes on where it
// stopped; a reply that was printed and not yet committed when it was killed is printed once more.
import { readFileSync } from 'node:fs'
import avsc from 'avsc'
import { Kafka, logLevel } from 'kafkajs'

const [brokers, registry, group, settings] = process.argv.slice(2)
const authorization = process.env.PARLEY_KEY ? { Authorization: `Bearer ${process.env.PARLEY_KEY}` } : {}
if (!group) {
  console.error('node turn-replies.js BROKERS REGISTRY GROUP [SETTINGS], such as 127.0.0.1:9092 http://127.0.0.1:8080/registry replies')
  process.exit(2)
}

// A value is a byte 0, the id of its schema in four bytes, and Avro.
const types = new Map()
async function read (value) {
  if (value.length < 5 || value[0] !== 0) {
    throw new Error('a value that does not begin with the id of a schema')
  }
  const id = value.readInt32BE(1)
  if (!types.has(id)) {
    const response = await fetch(`${registry}/schemas/ids/${id}`, { headers: authorization, signal: AbortSignal.timeout(10_000) })
    if (!response.ok) {
      throw new Error(`the registry does not give the schema ${id}: ${response.status}`)
    }
    types.set(id, avsc.Type.forSchema(JSON.parse((await response.json()).schema), { wrapUnions: 'auto' }))
  }
  return types.get(id).fromBuffer(value.subarray(5))
}

// The password of the brokers, if they ask for one: ./parley topics --client node > kafka.json
const security = settings ? JSON.parse(readFileSync(settings, 'utf8')) : {}
const kafka = new Kafka({
  ...security,
  clientId: 'turn-replies',
  brokers: brokers.split(','),
  retry: { retries: Number.MAX_SAFE_INTEGER, maxRetryTime: 10_000 }, // brokers may be away for any time
  logLevel: logLevel.WARN,
  logCreator: () => ({ label, log }) => console.error(`${log.timestamp} ${label} ${log.message} ${log.error ?? ''}`)
})
const consumer = kafka.consumer({ groupId: group, readUncommitted: false, maxBytesPerPartition: 10 << 20 }) // what is rolled back never happened

async function print (message) {
  const event = await read(message.value)
  const reply = event.reply.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  process.stdout.write(`${event.meta.key}\t${event.meta.turnId}\t${reply}\n`)
}

// What cannot be read is not skipped: the program ends with an error, and begins with that record when it is started again.
let ending = false
async function end (status, error) {
  if (error) {
    console.error(error)
  }
  if (!ending) {
    ending = true
    await consumer.disconnect().catch(() => {})
    process.exit(status)
  }
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => end(0))
}
consumer.on(consumer.events.CRASH, ({ payload }) => payload.restart || end(1, payload.error))

await consumer.connect()
await consumer.subscribe({ topic: 'turn-events', fromBeginning: true })
await consumer.run({
  autoCommit: false,
  eachBatchAutoResolve: false,
  eachBatch: async ({ batch, resolveOffset, heartbeat, commitOffsetsIfNecessary, uncommittedOffsets, isRunning, isStale }) => {
    for (const message of batch.messages) {
      if (!isRunning() || isStale()) {
        return
      }
      // The header names the type, so that nothing else needs to be read. Without a value it is a tombstone: what the
      // session said is erased, and whoever keeps a copy removes that of this key.
      if (message.value !== null && message.headers.ce_type?.toString() === 'TurnCompleted') {
        try {
          await print(message)
        } catch (error) {
          end(1, error) // not awaited: it waits for this batch
          return
        }
      }
      resolveOffset(message.offset)
      await heartbeat()
    }
    await commitOffsetsIfNecessary(uncommittedOffsets()) // after the work is done: nothing is left out
  }
})
