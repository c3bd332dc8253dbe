package dev.parley.tools;

import dev.parley.domain.turn.ToolEffect;
import dev.parley.domain.turn.ToolSpec;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The tools that there are, by name, each with the check of its arguments. */
public final class ToolRegistry {
    private final Map<String, Entry> byName = new TreeMap<>();

    /**
     * @param withLedger whether there is a ledger: without one, only tools that may run twice are offered
     * @throws IllegalArgumentException when two tools have the same name, or a schema is none
     */
    public ToolRegistry(Collection<? extends Tool> tools, boolean withLedger) {
        for (Tool tool : tools) {
            ToolSpec spec = tool.spec();
            if (ToolSpec.OWN.contains(spec.name())) {
                throw new IllegalArgumentException("the name '" + spec.name() + "' is taken by Parley itself");
            }
            if (withLedger || spec.effect() == ToolEffect.IDEMPOTENT) {
                if (byName.put(spec.name(), new Entry(tool, spec, new ArgumentCheck(spec))) != null) {
                    throw new IllegalArgumentException("there are two tools '" + spec.name() + "'");
                }
            }
        }
    }

    /** A tool, what models are told of it, and the check of its arguments. */
    record Entry(Tool tool, ToolSpec spec, ArgumentCheck check) {}

    Optional<Entry> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** What models are told of all of them, in order of name: these are the definitions to publish. */
    public List<ToolSpec> specs() {
        return byName.values().stream().map(Entry::spec).toList();
    }
}
