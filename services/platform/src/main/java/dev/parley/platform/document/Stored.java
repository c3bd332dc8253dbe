package dev.parley.platform.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.parley.domain.document.Fault;
import dev.parley.domain.document.FaultException;
import dev.parley.platform.json.JsonMappers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A definition as a row has it: either the definition, or the reason why this build refuses what another build has
 * written. Whoever reads rows gets this, so that one refused row fails neither a list nor its own replacement.
 */
public sealed interface Stored<T> {
    /** A definition that this build reads. */
    record Valid<T>(T definition) implements Stored<T> {}

    /**
     * A definition that this build refuses.
     *
     * @param faults what is wrong with it, at least one
     * @param document what the row has, or null where it is no JSON
     */
    record Refused<T>(List<Fault> faults, @Nullable Object document) implements Stored<T> {
        public Refused {
            faults = List.copyOf(faults);
        }

        /** All faults, as sentences. */
        public String problem() {
            return new InvalidDocumentException(faults).getMessage();
        }

        /**
         * Adds what is wrong to the JSON of the definition.
         *
         * @param withDocument whether the reader may see what the row has
         */
        public void describe(Map<String, @Nullable Object> json, boolean withDocument) {
            json.put("problem", problem());
            json.put(
                    "errors",
                    faults.stream()
                            .map(fault -> Map.of("field", fault.field(), "problem", fault.problem()))
                            .toList());
            json.put("stored", withDocument ? document : null);
        }
    }

    /** The definition, where this build reads it. */
    default Optional<T> valid() {
        return this instanceof Valid<T>(T definition) ? Optional.of(definition) : Optional.empty();
    }

    /**
     * The definition.
     *
     * @throws InvalidDocumentException where this build refuses it
     */
    default T require() {
        return switch (this) {
            case Valid<T>(T definition) -> definition;
            case Refused<T> refused -> throw new InvalidDocumentException(refused.faults());
        };
    }

    /**
     * Reads a definition.
     *
     * @param document what the row has
     * @param reader throws an {@link IllegalArgumentException} where this build refuses it
     */
    static <T> Stored<T> of(@Nullable Object document, Supplier<T> reader) {
        try {
            return new Valid<>(reader.get());
        } catch (InvalidDocumentException e) {
            return new Refused<>(e.faults(), document);
        } catch (FaultException e) {
            return new Refused<>(List.of(e.fault()), document);
        } catch (IllegalArgumentException e) {
            return new Refused<>(List.of(new Fault("", "is invalid: " + e.getMessage())), document);
        }
    }

    /** Reads a definition from a column of JSON, as {@link #of}. */
    static <T> Stored<T> ofJson(String json, Function<@Nullable Object, T> reader) {
        Object document;
        try {
            document = JsonMappers.shared().readValue(json, Object.class);
        } catch (JsonProcessingException e) {
            return new Refused<>(List.of(new Fault("", "is not valid JSON")), null);
        }
        return of(document, () -> reader.apply(document));
    }
}
