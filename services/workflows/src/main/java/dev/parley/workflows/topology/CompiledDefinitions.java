package dev.parley.workflows.topology;

import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.Workflow;
import java.util.LinkedHashMap;
import java.util.function.Supplier;

/** LRU cache of compiled definitions by the digest of their text; thread-safe. */
public final class CompiledDefinitions {
    private static final int CAPACITY = 500;

    private final LinkedHashMap<String, Workflow> read = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * The definition of this digest.
     *
     * @param yaml its text, where it was not read lately
     * @throws dev.parley.workflows.definition.InvalidDefinitionException when it cannot run
     */
    public Workflow of(String digest, Supplier<String> yaml) {
        synchronized (read) {
            Workflow known = read.get(digest);
            if (known != null) {
                return known;
            }
        }
        Workflow made = DefinitionReader.read(yaml.get());
        synchronized (read) {
            read.put(digest, made);
            if (read.size() > CAPACITY) {
                read.pollFirstEntry(); // least recently used
            }
        }
        return made;
    }
}
