package dev.parley.platform.plugin;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The implementations of a type in the plug-ins of a folder. A plug-in is a jar, or a folder of jars: classes with
 * their libraries. It names its implementations in {@code META-INF/services}. A broken plug-in is logged and skipped.
 *
 * @param <T> the type
 */
public final class PluginFolder<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PluginFolder.class);
    private static final int MOST = 200;

    private final Class<T> type;
    private final List<URLClassLoader> loaders = new ArrayList<>();
    private final List<Offer<T>> offers = new ArrayList<>();
    private final Set<String> broken = new LinkedHashSet<>();

    /**
     * An implementation of a plug-in.
     *
     * @param plugin name of its jar or folder
     */
    public record Offer<T>(T instance, String plugin) {}

    private PluginFolder(Class<T> type) {
        this.type = type;
    }

    /**
     * Loads the plug-ins in order of their file names.
     *
     * @param folder null for none
     */
    public static <T> PluginFolder<T> load(@Nullable Path folder, Class<T> type) {
        var plugins = new PluginFolder<>(type);
        if (folder != null) {
            plugins.listPlugins(folder).forEach(plugins::loadOne);
        }
        return plugins;
    }

    /** The implementations, in order. */
    public List<Offer<T>> offers() {
        return List.copyOf(offers);
    }

    /** Names of the plug-ins that cannot be loaded, or whose implementations are missing. */
    public List<String> brokenPlugins() {
        return List.copyOf(broken);
    }

    /** Records and logs a broken plug-in. */
    private void recordBroken(String plugin, Throwable cause) {
        broken.add(plugin);
        LOG.atError()
                .addKeyValue("plugin", plugin)
                .addKeyValue("type", type.getSimpleName())
                .setCause(cause)
                .log("a plug-in is broken");
    }

    private List<Path> listPlugins(Path folder) {
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
        String name = plugin.getFileName().toString();
        try {
            var loader = new PluginLoader(name, jars(plugin));
            loaders.add(loader);
            Iterator<ServiceLoader.Provider<T>> providers =
                    ServiceLoader.load(type, loader).stream().iterator();
            int before = offers.size();
            while (hasNext(providers, name)) {
                take(providers, loader, name);
            }
            LOG.atInfo()
                    .addKeyValue("plugin", name)
                    .addKeyValue("type", type.getSimpleName())
                    .addKeyValue("offers", offers.size() - before)
                    .log("a plug-in was loaded");
        } catch (IOException | RuntimeException e) {
            recordBroken(name, e);
        }
    }

    /** @throws IOException if one of them is not a jar, which a class loader would silently skip */
    private static URL[] jars(Path plugin) throws IOException {
        var urls = new ArrayList<URL>();
        for (Path jar : Files.isDirectory(plugin) ? listJars(plugin) : List.of(plugin)) {
            new JarFile(jar.toFile()).close();
            urls.add(jar.toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    private static List<Path> listJars(Path plugin) throws IOException {
        try (Stream<Path> entries = Files.list(plugin)) {
            return entries.filter(PluginFolder::isJar).sorted().limit(MOST).toList();
        }
    }

    private static boolean isJar(Path path) {
        return path.getFileName().toString().endsWith(".jar") && Files.isRegularFile(path);
    }

    private boolean hasNext(Iterator<?> providers, String plugin) {
        while (true) {
            try {
                return providers.hasNext();
            } catch (ServiceConfigurationError | LinkageError e) { // a class is missing; the next one may exist
                recordBroken(plugin, e);
                if (e instanceof ServiceConfigurationError
                        && !String.valueOf(e.getMessage()).contains("Provider")) {
                    return false; // the list of providers cannot be read
                }
            }
        }
    }

    private void take(Iterator<ServiceLoader.Provider<T>> providers, ClassLoader loader, String plugin) {
        try {
            ServiceLoader.Provider<T> provider = providers.next();
            if (provider.type().getClassLoader() == loader) { // otherwise it is not a class of the plug-in
                offers.add(new Offer<>(provider.get(), plugin));
            }
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            recordBroken(plugin, e);
        }
    }

    /** Closes the jars; their classes must not be used afterwards. */
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
