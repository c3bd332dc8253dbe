package dev.parley.platform.config;

import dev.parley.domain.document.Fault;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An invalid setting; the message names it and lists what is allowed. */
public final class ConfigException extends RuntimeException {
    public ConfigException(String key, String problem) {
        this(key, problem, null);
    }

    /**
     * Invalid fields of a document.
     *
     * @param path of the document; empty for none
     */
    static ConfigException of(String path, List<Fault> faults) {
        Fault first = faults.getFirst().at(path);
        return new ConfigException(
                first.field(),
                Stream.concat(
                                Stream.of(first.problem()),
                                faults.stream()
                                        .skip(1)
                                        .map(fault -> fault.at(path))
                                        .map(fault -> fault.field() + ": " + fault.problem()))
                        .collect(Collectors.joining("; ")));
    }

    /** @param cause the exception behind the problem, without secrets, or null */
    public ConfigException(String key, String problem, @Nullable Throwable cause) {
        super(key + ": " + problem, cause);
    }
}
