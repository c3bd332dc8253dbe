package dev.parley.workflows.broker;

import dev.parley.platform.config.BrokersConfig.MappedTopic;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A Kafka record as a CloudEvent: structured or binary mode of the Kafka binding; any other record is the data of an
 * event with the type of the topic's mapping.
 *
 * @see <a href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md">the
 *     binding</a>
 */
record RecordEvent(MappedTopic mapping, ConsumerRecord<byte[], byte[]> record) {
    private static final String STRUCTURED = "application/cloudevents+json";
    private static final String ATTRIBUTE = "ce_";

    /**
     * The event.
     *
     * @throws IllegalArgumentException if the record declares JSON and has none
     */
    Json event() {
        String media = header("content-type").orElse("").toLowerCase(Locale.ROOT);
        if (media.startsWith(STRUCTURED)) {
            return JsonText.read(Utf8.text(record.value()).orElse(""));
        }
        return record.headers().lastHeader(ATTRIBUTE + "id") == null ? plain() : binary(media);
    }

    private Json binary(String media) {
        Json event = Values.EMPTY_OBJECT;
        for (Header header : record.headers()) {
            if (header.key().startsWith(ATTRIBUTE)) {
                String name = header.key().substring(ATTRIBUTE.length()).toLowerCase(Locale.ROOT);
                event = event.with(name, Json.of(Utf8.text(header.value()).orElse("")));
            }
        }
        if (!media.isEmpty()) {
            event = event.with("datacontenttype", Json.of(media));
        }
        Optional<String> text = Utf8.text(record.value());
        boolean isJson = text.isPresent() && !text.get().isBlank() && (media.isEmpty() || media.contains("json"));
        return isJson ? event.with("data", JsonText.read(text.get())) : withData(event, text.map(Json::of));
    }

    /** The id includes the time of the record, because a recreated topic restarts its offsets at 0. */
    private Json plain() {
        String id = "%s-%d-%d-%d".formatted(record.topic(), record.partition(), record.offset(), record.timestamp());
        Json event = Json.of("specversion", Json.of("1.0"))
                .with("id", Json.of(id))
                .with("source", Json.of(mapping.source()))
                .with("type", Json.of(mapping.type()))
                .with(
                        "time",
                        Json.of(Instant.ofEpochMilli(Math.max(record.timestamp(), 0))
                                .toString()));
        Optional<String> key = Utf8.text(record.key());
        if (key.isPresent()) {
            event = event.with("partitionkey", Json.of(key.get()));
        }
        return withData(event, Utf8.text(record.value()).map(JsonText::readOrText));
    }

    private Json withData(Json event, Optional<Json> data) {
        if (data.isPresent()) {
            return event.with("data", data.get());
        }
        return record.value() == null
                ? event
                : event.with("data_base64", Json.of(Base64.getEncoder().encodeToString(record.value())));
    }

    private Optional<String> header(String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? Optional.empty() : Utf8.text(header.value());
    }
}
