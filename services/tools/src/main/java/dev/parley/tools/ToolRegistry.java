package dev.parley.tools;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ToolRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tools that there are, each with the check of its arguments. */
public final class ToolRegistry {
    private final Map<String, Entry> byName = new TreeMap<>();
    private final @Nullable DefinedTools defined;
    private final boolean withLedger;

    /**
     * @param withLedger whether there is a ledger: without one, only tools that may run twice are offered
     * @throws IllegalArgumentException when two tools have the same name, or a schema is none
     */
    public ToolRegistry(Collection<? extends Tool> tools, boolean withLedger) {
        this(tools, null, withLedger);
    }

    /**
     * @param defined those that are defined while everything runs, or null for none
     * @param withLedger whether there is a ledger: without one, only tools that may run twice are offered
     * @throws IllegalArgumentException when two tools have the same name, or a schema is none
     */
    public ToolRegistry(Collection<? extends Tool> tools, @Nullable DefinedTools defined, boolean withLedger) {
        this.defined = defined;
        this.withLedger = withLedger;
        for (Tool tool : tools) {
            ToolSpec spec = tool.spec();
            if (ToolSpec.OWN.contains(spec.name())) {
                throw new IllegalArgumentException("the name '" + spec.name() + "' is taken by Parley itself");
            }
            if (isOffered(spec)) {
                if (byName.put(spec.name(), new Entry(tool, spec, new ArgumentCheck(spec))) != null) {
                    throw new IllegalArgumentException("there are two tools '" + spec.name() + "'");
                }
            }
        }
    }

    /** A tool, what models are told of it, and the check of its arguments. */
    record Entry(Tool tool, ToolSpec spec, ArgumentCheck check) {}

    /**
     * The tool that a call is for.
     *
     * @param session that it is made in
     * @throws IllegalArgumentException where it cannot be carried out; says why
     */
    Optional<Entry> find(ToolRequest request, RecordKey session) {
        return request.version().isEmpty() || defined == null
                ? Optional.ofNullable(byName.get(request.name()))
                : defined.find(request, session).filter(entry -> isOffered(entry.spec()));
    }

    /** Whether a call of this tool may be made twice; a call for which there is no tool is answered with an error, which may be, too. */
    boolean isRepeatable(ToolRequest request, RecordKey session) {
        Optional<ToolSpec> tool = request.version().isEmpty() || defined == null
                ? Optional.ofNullable(byName.get(request.name())).map(Entry::spec)
                : defined.spec(request, session);
        return tool.map(spec -> spec.effect() == ToolEffect.IDEMPOTENT).orElse(true);
    }

    private boolean isOffered(ToolSpec spec) {
        return withLedger || spec.effect() == ToolEffect.IDEMPOTENT;
    }

    /** What models are told of them, in order of name: these are the definitions to publish. */
    public List<ToolSpec> specs() {
        return byName.values().stream()
                .map(Entry::spec)
                .filter(spec -> !ToolSpec.HIDDEN.contains(spec.name()))
                .toList();
    }
}
