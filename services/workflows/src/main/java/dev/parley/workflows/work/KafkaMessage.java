package dev.parley.workflows.work;

import dev.parley.workflows.broker.Utf8;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.util.Base64;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A Kafka record as an AsyncAPI message. */
record KafkaMessage(ConsumerRecord<byte[], byte[]> record) {
    /** Header with the idempotency key of the publishing call. */
    static final String IDEMPOTENCY_KEY = "idempotency-key";

    private static final String IN_HEADER = "$message.header#";
    private static final String IN_PAYLOAD = "$message.payload#";
    private static final String STANDARD = IN_HEADER + "/correlationId";

    /** Bytes of its value, key and headers. */
    int size() {
        int size = Math.max(record.serializedValueSize(), 0) + Math.max(record.serializedKeySize(), 0);
        for (Header header : record.headers()) {
            size += header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        return size;
    }

    /**
     * An object of {@code payload}, {@code headers}, and {@code correlationId} and {@code key} if present.
     *
     * @param location AsyncAPI expression of the correlation id; null for the header {@code correlationId}
     */
    Json json(Json location) {
        Json headers = Values.EMPTY_OBJECT;
        for (Header header : record.headers()) {
            headers = headers.with(header.key(), Json.of(text(header.value())));
        }
        Json message = Json.of("payload", payload()).with("headers", headers);
        Json id = findCorrelationId(location.text().orElse(STANDARD), message);
        message = id.isNull() ? message : message.with("correlationId", Json.of(id.display()));
        return record.key() == null ? message : message.with("key", Json.of(text(record.key())));
    }

    private Json payload() {
        return record.value() == null ? Values.NULL : JsonText.readOrText(text(record.value()));
    }

    private static Json findCorrelationId(String location, Json message) {
        if (location.startsWith(IN_HEADER + "/")) {
            return JsonPointer.find(message.get("headers"), location.substring(IN_HEADER.length()));
        }
        return location.startsWith(IN_PAYLOAD + "/")
                ? JsonPointer.find(message.get("payload"), location.substring(IN_PAYLOAD.length()))
                : Values.NULL;
    }

    /** The bytes as UTF-8, or in base64 if they are not valid UTF-8. */
    private static String text(byte @Nullable [] bytes) {
        return bytes == null
                ? ""
                : Utf8.text(bytes).orElseGet(() -> Base64.getEncoder().encodeToString(bytes));
    }
}
