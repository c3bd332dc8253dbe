package dev.parley.tools.plugin;

import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolRegistry;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tools of a folder. A plug-in is a jar, or a folder of jars: a tool with the libraries that it needs. It names its
 * implementations of {@link Tool} in {@code META-INF/services}. One that is broken is passed over, and the log says why.
 */
public final class Plugins implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Plugins.class);
    private static final int MOST = 200;

    private final List<URLClassLoader> loaders = new ArrayList<>();
    private final Map<String, Offer> byName = new TreeMap<>();
    private final Map<String, Tool> byClass = new HashMap<>();

    /** A tool, and where it comes from. */
    private record Offer(Tool tool, String from) {}

    private Plugins() {}

    /** Loads them. @param folder or null where there are none */
    public static Plugins load(@Nullable Path folder) {
        var plugins = new Plugins();
        if (folder != null) {
            plugins.found(folder).forEach(plugins::loadOne);
        }
        return plugins;
    }

    private List<Path> found(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> Files.isDirectory(entry) || isJar(entry))
                    .sorted()
                    .limit(MOST)
                    .toList();
        } catch (IOException e) {
            LOG.atError().addKeyValue("folder", folder).setCause(e).log("the folder of plug-ins cannot be read");
            return List.of();
        }
    }

    private void loadOne(Path plugin) {
        String from = plugin.getFileName().toString();
        try {
            var loader = new PluginLoader(from, jars(plugin));
            loaders.add(loader);
            Iterator<ServiceLoader.Provider<Tool>> offers =
                    ServiceLoader.load(Tool.class, loader).stream().iterator();
            int before = byClass.size();
            while (hasNext(offers, from)) {
                take(offers, loader, from);
            }
            LOG.atInfo()
                    .addKeyValue("plugin", from)
                    .addKeyValue("tools", byClass.size() - before)
                    .log("a plug-in was loaded");
        } catch (IOException | RuntimeException e) {
            LOG.atError().addKeyValue("plugin", from).setCause(e).log("a plug-in cannot be loaded");
        }
    }

    private static URL[] jars(Path plugin) throws IOException {
        if (!Files.isDirectory(plugin)) {
            return new URL[] {plugin.toUri().toURL()};
        }
        try (Stream<Path> entries = Files.list(plugin)) {
            var urls = new ArrayList<URL>();
            for (Path jar : entries.filter(Plugins::isJar).sorted().limit(MOST).toList()) {
                urls.add(jar.toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }
    }

    private static boolean isJar(Path path) {
        return path.getFileName().toString().endsWith(".jar") && Files.isRegularFile(path);
    }

    private static boolean hasNext(Iterator<?> offers, String from) {
        while (true) {
            try {
                return offers.hasNext();
            } catch (ServiceConfigurationError | LinkageError e) { // one class is not there; the next one may be
                LOG.atError().addKeyValue("plugin", from).setCause(e).log("a tool of a plug-in is not available");
                if (e instanceof ServiceConfigurationError
                        && !String.valueOf(e.getMessage()).contains("Provider")) {
                    return false; // it is the list of them that cannot be read
                }
            }
        }
    }

    private void take(Iterator<ServiceLoader.Provider<Tool>> offers, ClassLoader loader, String from) {
        try {
            ServiceLoader.Provider<Tool> offer = offers.next();
            if (offer.type().getClassLoader() != loader) {
                return; // not the plug-in's own
            }
            Tool tool = offer.get();
            add(tool, from);
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            LOG.atError().addKeyValue("plugin", from).setCause(e).log("a tool of a plug-in is not available");
        }
    }

    private void add(Tool tool, String from) {
        ToolSpec spec = tool.spec();
        new ToolRegistry(List.of(tool), true); // its name and schema are looked at
        Offer other = byName.get(spec.name());
        String type = tool.getClass().getName();
        if (other != null || byClass.containsKey(type)) {
            String taken = other == null ? type : spec.name();
            LOG.atError()
                    .addKeyValue("plugin", from)
                    .log(
                            "the tool '{}' ({}) of {} is not available: {} has it already",
                            taken,
                            type,
                            from,
                            other == null ? "another plug-in" : other.from());
            return;
        }
        byName.put(spec.name(), new Offer(tool, from));
        byClass.put(type, tool);
    }

    /** Their tools, in order of name, but those whose names are taken. @param others have theirs already */
    public List<Tool> toolsBeside(Collection<? extends Tool> others) {
        Set<String> taken = others.stream().map(tool -> tool.spec().name()).collect(Collectors.toSet());
        var tools = new ArrayList<Tool>();
        byName.forEach((name, offer) -> {
            if (taken.contains(name)) {
                LOG.atError()
                        .addKeyValue("plugin", offer.from())
                        .log("the tool '{}' of {} is not available: Parley has one already", name, offer.from());
            } else {
                tools.add(offer.tool());
            }
        });
        return tools;
    }

    /** The tool of a class. */
    Optional<Tool> ofClass(String type) {
        return Optional.ofNullable(byClass.get(type));
    }

    /** Lets go of the jars; no tool of them is to be called any more. */
    @Override
    public void close() {
        for (URLClassLoader loader : loaders) {
            try {
                loader.close();
            } catch (IOException e) {
                LOG.atWarn().setCause(e).log("a plug-in is not closed");
            }
        }
    }
}
