// Reads records as other software does, with default settings: Confluent's client of a schema registry, and the SDK of
// CloudEvents. Arguments: the URL of the registry, and a file with a record in JSON on each line.
import { readFileSync } from 'node:fs';
import { AvroDeserializer, SchemaRegistryClient, SerdeType } from '@confluentinc/schemaregistry';
import { Kafka } from 'cloudevents';

const [registry, file] = process.argv.slice(2);
const client = new SchemaRegistryClient({ baseURLs: [registry] });
const deserializer = new AvroDeserializer(client, SerdeType.VALUE, {});

let read = 0;
const faults = new Map();

async function check(what, topic, body) {
  try {
    await body();
  } catch (error) {
    const fault = `${what}: ${topic}: ${error.message} ${JSON.stringify(error.errors ?? '')}`;
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
  }
}

for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
  const { topic, headers, value } = JSON.parse(line);
  const bytes = Buffer.from(value, 'base64');
  await check('Confluent', topic, async () => {
    const decoded = await deserializer.deserialize(topic, bytes);
    if (typeof decoded !== 'object') {
      throw new Error(`decoded to ${decoded}`);
    }
  });
  await check('CloudEvents', topic, async () => {
    const event = Kafka.toEvent({ headers, value: bytes });
    event.validate();
    if (event.id !== headers.ce_id || event.type !== headers.ce_type || !event.datacontenttype) {
      throw new Error(`read as ${event}`);
    }
  });
  read++;
}

const subjects = await client.getAllSubjects();
const latest = await client.getLatestSchemaMetadata(subjects[0]);
if (latest.subject !== subjects[0] || (await client.getId(latest.subject, latest)) !== latest.id) {
  faults.set(`Confluent: ${subjects[0]} is not found by its schema`, 1);
}

for (const [fault, count] of faults) {
  console.log(`${count} x ${fault}`);
}
console.log(`${read} records read, ${subjects.length} subjects`);
process.exit(faults.size > 0 || read === 0 ? 1 : 0);
