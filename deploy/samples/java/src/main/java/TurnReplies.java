import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Prints the final reply of each turn, a line each: session, turn and reply, with tabs between. It goes on where it
 * stopped; a reply that was printed and not yet committed when it was killed is printed once more.
 */
public final class TurnReplies {
    private static final int PREFIX = 5;

    private final Map<Integer, Schema> schemas = new HashMap<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private final String registry;

    private TurnReplies(String registry) {
        this.registry = registry;
    }

    /** Arguments: brokers, the URL of the schema registry, the consumer group, and a file with settings of the client. */
    public static void main(String[] args) throws Exception {
        if (args.length < 3) {
            System.err.println(
                    "TurnReplies BROKERS REGISTRY GROUP [SETTINGS], such as 127.0.0.1:9092 http://127.0.0.1:8080/registry replies");
            System.exit(2);
        }
        // The password of the brokers, if they ask for one: ./parley topics --client java > kafka.properties
        var settings = new Properties();
        if (args.length > 3) {
            try (var file = Files.newBufferedReader(Path.of(args[3]))) {
                settings.load(file);
            }
        }
        settings.putAll(Map.of(
                "bootstrap.servers", args[0],
                "group.id", args[2],
                "auto.offset.reset", "earliest",
                "enable.auto.commit", "false",
                "isolation.level", "read_committed")); // what is rolled back never happened
        var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(consumer, main)));
        try (consumer) {
            new TurnReplies(args[1]).follow(consumer);
        } catch (WakeupException e) {
            // it was told to stop
        }
    }

    private static void stop(KafkaConsumer<?, ?> consumer, Thread main) {
        consumer.wakeup();
        try {
            main.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow(KafkaConsumer<String, byte[]> consumer) throws IOException, InterruptedException {
        consumer.subscribe(List.of("turn-events"));
        while (true) {
            for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                // The header names the type, so that nothing else needs to be read. Without a value it is a tombstone:
                // what the session said is erased, and whoever keeps a copy removes that of this key.
                if (record.value() != null && header(record, "ce_type").equals("TurnCompleted")) {
                    print(record);
                }
            }
            System.out.flush();
            consumer.commitSync(); // after the work is done: nothing is left out, whenever it is killed
        }
    }

    private void print(ConsumerRecord<String, byte[]> record) throws IOException, InterruptedException {
        GenericRecord event = read(record.value());
        var meta = (GenericRecord) event.get("meta");
        System.out.println(meta.get("key") + "\t" + meta.get("turnId") + "\t"
                + event.get("reply")
                        .toString()
                        .replace("\\", "\\\\")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t"));
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** A value is a byte 0, the id of its schema in four bytes, and Avro. */
    private GenericRecord read(byte[] value) throws IOException, InterruptedException {
        if (value.length < PREFIX || value[0] != 0) {
            throw new IOException("a value that does not begin with the id of a schema");
        }
        Schema schema = schema(ByteBuffer.wrap(value, 1, Integer.BYTES).getInt());
        BinaryDecoder in = DecoderFactory.get().binaryDecoder(value, PREFIX, value.length - PREFIX, null);
        return new GenericDatumReader<GenericRecord>(schema).read(null, in);
    }

    private Schema schema(int id) throws IOException, InterruptedException {
        Schema known = schemas.get(id);
        if (known == null) {
            var request = HttpRequest.newBuilder(URI.create(registry + "/schemas/ids/" + id))
                    .timeout(Duration.ofSeconds(10));
            String key = System.getenv("PARLEY_KEY");
            if (key != null) {
                request.header("Authorization", "Bearer " + key);
            }
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException("the registry does not give the schema " + id + ": " + response.statusCode());
            }
            known = new Schema.Parser()
                    .parse(new ObjectMapper()
                            .readTree(response.body())
                            .path("schema")
                            .asText());
            schemas.put(id, known);
        }
        return known;
    }
}
