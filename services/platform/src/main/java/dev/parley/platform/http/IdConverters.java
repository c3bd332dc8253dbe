package dev.parley.platform.http;

import dev.parley.domain.Ids;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.TypeConverter;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Deserializer;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads ids of requests, in paths, queries, headers and bodies, in their only form ({@link Ids#parse}). Another form of
 * an id would be a second name of the same object, which checks by name, folders and locks would take for another one.
 */
@Factory
final class IdConverters {
    /** Ids in paths, queries and headers. */
    @Singleton
    TypeConverter<String, UUID> texts() {
        return (text, _, context) -> read(text, context);
    }

    /** As {@link #texts}, for other kinds of texts. */
    @Singleton
    TypeConverter<CharSequence, UUID> characters() {
        return (text, _, context) -> read(text, context);
    }

    private static Optional<UUID> read(CharSequence text, ConversionContext context) {
        try {
            return Optional.of(Ids.parse(text.toString()));
        } catch (IllegalArgumentException e) {
            context.reject(text, e);
            return Optional.empty();
        }
    }

    /** Ids in bodies. */
    @Singleton
    @Primary
    Deserializer<UUID> bodies() {
        return new BodyIds();
    }

    private static final class BodyIds implements Deserializer<UUID> {
        @Override
        public UUID deserialize(Decoder decoder, DecoderContext context, Argument<? super UUID> type)
                throws IOException {
            String text = decoder.decodeString();
            if (!Ids.isId(text)) {
                throw decoder.createDeserializationException("an id is a UUID of 36 characters in lower case", null);
            }
            return Ids.parse(text);
        }
    }
}
