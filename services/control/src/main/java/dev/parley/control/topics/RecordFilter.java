package dev.parley.control.topics;

import dev.parley.platform.http.ApiException;
import dev.parley.platform.kafka.RecordCodec;
import java.util.Locale;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Which records are meant.
 *
 * @param key the beginning of their keys, null for all
 * @param text what stands in their keys or values, in any case, null for anything
 * @param type the name of what they hold, such as {@code SubmitTurn}, null for all
 */
record RecordFilter(
        @Nullable String key,
        @Nullable String text,
        @Nullable String type) implements Predicate<ConsumerRecord<byte[], byte[]>> {
    private static final int LONGEST = 1_000;

    /** @throws ApiException 400 where one of them is too long */
    RecordFilter {
        key = checked(key);
        text = checked(text);
        type = checked(type);
    }

    private static @Nullable String checked(@Nullable String given) {
        if (given != null && given.length() > LONGEST) {
            throw ApiException.badRequest("invalid_filter", "A filter has at most 1,000 characters");
        }
        return given == null || given.isEmpty() ? null : given;
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
