package dev.parley.control.topics;

import dev.parley.platform.http.ApiException;
import dev.parley.platform.kafka.RecordCodec;
import java.util.Locale;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A filter of records.
 *
 * @param key prefix of the key, null for all
 * @param text text in the key or value, ignoring case, null for all
 * @param type the name of the record type, such as {@code SubmitTurn}, null for all
 */
record RecordFilter(
        @Nullable String key,
        @Nullable String text,
        @Nullable String type) implements Predicate<ConsumerRecord<byte[], byte[]>> {
    private static final int MAX_LENGTH = 1_000;

    /** @throws ApiException 400 where a filter is too long */
    RecordFilter {
        key = normalize(key);
        text = normalize(text);
        type = normalize(type);
    }

    private static @Nullable String normalize(@Nullable String value) {
        if (value != null && value.length() > MAX_LENGTH) {
            throw ApiException.badRequest("invalid_filter", "A filter must have at most 1,000 characters");
        }
        return value == null || value.isEmpty() ? null : value;
    }

    @Override
    public boolean test(ConsumerRecord<byte[], byte[]> record) {
        return (key == null || RecordCodec.key(record).startsWith(key))
                && (type == null
                        || RecordCodec.type(record).filter(type::equals).isPresent())
                && (text == null
                        || RecordContents.text(record)
                                .toLowerCase(Locale.ROOT)
                                .contains(text.toLowerCase(Locale.ROOT)));
    }
}
