package dev.parley.control.topics;

import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Readable contents of a record, with digests of keys redacted. */
@Singleton
public final class RecordContents {
    private static final int MAX_VALUE_BYTES = 256 << 10;
    private static final int START_BYTES = 4 << 10;
    private static final Pattern DIGEST = Pattern.compile("(\"hash\"\\s*:\\s*\")[0-9a-f]{64}(?=\")");

    private final JsonMapper json;

    RecordContents(JsonMapper json) {
        this.json = json;
    }

    /** The headers as text. */
    public static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
        var headers = new TreeMap<String, String>();
        record.headers()
                .forEach(header -> headers.put(
                        header.key(),
                        header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8)));
        return headers;
    }

    /** The decoded value; null where no schema can read it, or it has more than 256 KiB. */
    public @Nullable JsonNode value(byte @Nullable [] value) {
        if (value == null || value.length > MAX_VALUE_BYTES) {
            return null;
        }
        return RecordCodec.json(value)
                .map(RecordContents::withoutDigests)
                .map(this::parseOrText)
                .orElse(null);
    }

    /** The first 4 KiB in base64; empty where the record contains a digest of a key, or may contain one. */
    public static String start(ConsumerRecord<byte[], byte[]> record) {
        byte @Nullable [] value = record.value();
        if (value == null
                || mayHaveDigest(record)
                || RecordCodec.json(value)
                        .filter(text -> DIGEST.matcher(text).find())
                        .isPresent()) {
            return "";
        }
        return Base64.getEncoder().encodeToString(Arrays.copyOf(value, Math.min(value.length, START_BYTES)));
    }

    /** Whether a record is of {@code access}, whose keys have digests, or a dead letter of it or of an unknown topic. */
    private static boolean mayHaveDigest(ConsumerRecord<byte[], byte[]> record) {
        String topic = record.topic().equals(Topics.DEAD_LETTERS.name())
                ? RecordSerde.header(record.headers(), DeadLetters.TOPIC)
                : record.topic();
        return topic == null
                || topic.equals(Topics.ACCESS.name())
                || Topics.find(topic).isEmpty();
    }

    /** Key and value as text to search in. */
    static String text(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        String body = RecordCodec.json(value)
                .orElseGet(() -> mayHaveDigest(record) ? "" : new String(value, StandardCharsets.UTF_8));
        return RecordCodec.key(record) + "\n" + withoutDigests(body);
    }

    static String withoutDigests(String json) {
        return DIGEST.matcher(json).replaceAll("$1hidden");
    }

    private @Nullable JsonNode parseOrText(String text) {
        try {
            return json.readValue(text.getBytes(StandardCharsets.UTF_8), JsonNode.class);
        } catch (IOException e) {
            return JsonNode.createStringNode(text);
        }
    }
}
