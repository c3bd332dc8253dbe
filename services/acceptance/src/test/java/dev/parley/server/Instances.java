package dev.parley.server;

import dev.parley.platform.config.ConfigReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Starts instances in this process. */
final class Instances {
    private Instances() {}

    /**
     * An instance with a broker and a database of its own.
     *
     * @param data its folder, beside its {@code parley.yml}, if any
     */
    static Instance start(Path data) {
        return start(environment(data));
    }

    static Instance start(Map<String, String> environment) {
        return Instance.start(ConfigReader.read(environment));
    }

    /** The environment of {@link #start(Path)}. */
    static Map<String, String> environment(Path data) {
        return new HashMap<>(Map.of(
                "PARLEY_DATA",
                data.toString(),
                "PARLEY_CONFIG",
                data.resolveSibling("parley.yml").toString(),
                "PARLEY_PORT",
                "0"));
    }
}
