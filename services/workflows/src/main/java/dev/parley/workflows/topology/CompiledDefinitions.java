package dev.parley.workflows.topology;

import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.Workflow;
import java.util.LinkedHashMap;
import java.util.function.Supplier;

/** LRU cache of compiled definitions by the digest of their text; thread-safe. */
public final class CompiledDefinitions {
    private static final int CAPACITY = 500;

    private final LinkedHashMap<String, Workflow> compiled = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * The definition of this digest.
     *
     * @param yaml its text, read if it is not cached
     * @throws dev.parley.workflows.definition.InvalidDefinitionException if it is invalid
     */
    public Workflow of(String digest, Supplier<String> yaml) {
        synchronized (compiled) {
            Workflow cached = compiled.get(digest);
            if (cached != null) {
                return cached;
            }
        }
        Workflow workflow = DefinitionReader.read(yaml.get());
        synchronized (compiled) {
            compiled.put(digest, workflow);
            if (compiled.size() > CAPACITY) {
                compiled.pollFirstEntry(); // least recently used
            }
        }
        return workflow;
    }
}
