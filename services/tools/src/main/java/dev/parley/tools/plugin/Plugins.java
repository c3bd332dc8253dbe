package dev.parley.tools.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.plugin.PluginFolder;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tools of plug-ins. Unusable ones are skipped and logged. */
public final class Plugins implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Plugins.class);

    private final PluginFolder<Tool> folder;
    private final Map<String, PluginFolder.Offer<Tool>> byName = new TreeMap<>();
    private final Map<String, Tool> byClass = new HashMap<>();

    private Plugins(PluginFolder<Tool> folder) {
        this.folder = folder;
    }

    /**
     * Loads all plug-ins.
     *
     * @param folder the folder of their jars, or null for none
     */
    public static Plugins load(@Nullable Path folder) {
        var plugins = new Plugins(PluginFolder.load(folder, Tool.class));
        plugins.folder.offers().forEach(plugins::tryAdd);
        return plugins;
    }

    private void tryAdd(PluginFolder.Offer<Tool> offer) {
        try {
            add(offer);
        } catch (LinkageError | RuntimeException e) {
            LOG.atError().addKeyValue("plugin", offer.plugin()).setCause(e).log("tool of a plug-in is not available");
        }
    }

    private void add(PluginFolder.Offer<Tool> offer) {
        Tool tool = offer.instance();
        requireCurrentApi(tool);
        ToolSpec spec = tool.spec();
        new ToolRegistry(List.of(tool), true); // validates its name and schema
        PluginFolder.Offer<Tool> other = byName.get(spec.name());
        String type = tool.getClass().getName();
        if (other != null || byClass.containsKey(type)) {
            String duplicate = other == null ? type : spec.name();
            LOG.atError()
                    .addKeyValue("plugin", offer.plugin())
                    .log(
                            "the tool '{}' ({}) of {} is not available: {} has it already",
                            duplicate,
                            type,
                            offer.plugin(),
                            other == null ? "another plug-in" : other.plugin());
            return;
        }
        byName.put(spec.name(), offer);
        byClass.put(type, tool);
    }

    /** @throws IllegalArgumentException if the tool was compiled against version 0.1, whose arguments were Jackson 3 */
    static void requireCurrentApi(Tool tool) {
        boolean isCurrent;
        try {
            Method run = tool.getClass().getMethod("run", ToolCallContext.class, JsonNode.class);
            isCurrent = !Modifier.isAbstract(run.getModifiers());
        } catch (NoSuchMethodException | NoClassDefFoundError e) {
            isCurrent = !String.valueOf(e.getMessage())
                    .startsWith("tools/jackson/"); // others fail the calls that need them
        }
        if (!isCurrent) {
            throw new IllegalArgumentException(
                    "it was compiled against parley-plugin-api 0.1: the arguments of a tool are" + " a "
                            + JsonNode.class.getName() + " now; compile it anew");
        }
    }

    /**
     * The tools ordered by name, except for names that are taken.
     *
     * @param others the tools that have precedence
     */
    public List<Tool> toolsBeside(Collection<? extends Tool> others) {
        Set<String> takenNames = others.stream().map(tool -> tool.spec().name()).collect(Collectors.toSet());
        var tools = new ArrayList<Tool>();
        byName.forEach((name, offer) -> {
            if (takenNames.contains(name)) {
                LOG.atError()
                        .addKeyValue("plugin", offer.plugin())
                        .log("the tool '{}' of {} is not available: Parley has one already", name, offer.plugin());
            } else {
                tools.add(offer.instance());
            }
        });
        return tools;
    }

    /** The tool of a class. */
    Optional<Tool> ofClass(String type) {
        return Optional.ofNullable(byClass.get(type));
    }

    /** Closes the jars; their tools must not be called afterwards. */
    @Override
    public void close() {
        folder.close();
    }
}
