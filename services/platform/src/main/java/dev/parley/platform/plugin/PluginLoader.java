package dev.parley.platform.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.domain.RecordKey;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kotlin.Unit;
import okhttp3.OkHttpClient;
import okio.Buffer;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Node;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;

/**
 * The class loader of a plug-in. It sees the classes of Java and of the plug-in API, but not the other libraries of
 * Parley, so that a plug-in can have its own versions.
 */
final class PluginLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    PluginLoader(String name, URL[] jars) {
        super(name, jars, new Shared(PluginLoader.class.getClassLoader()));
    }

    /** @throws ClassNotFoundException that explains itself for a class that the API had in version 0.1 */
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
            return super.findClass(name);
        } catch (ClassNotFoundException e) {
            throw name.startsWith("tools.jackson.")
                    ? new ClassNotFoundException(
                            name + " is not in the plug-in API since 0.2, where the arguments of a"
                                    + " tool are a com.fasterxml.jackson.databind.JsonNode: compile the plug-in anew",
                            e)
                    : e;
        }
    }

    /**
     * The classes shared by Parley and plug-ins: the jars of the API and of its dependencies, to which these classes
     * belong.
     */
    private static final class Shared extends ClassLoader {
        private static final Set<String> JARS = Stream.of(
                        ChannelPlugin.class,
                        RecordKey.class,
                        JsonProperty.class,
                        ObjectMapper.class,
                        JsonFactory.class,
                        OkHttpClient.class,
                        Buffer.class,
                        Unit.class,
                        Node.class,
                        TablesExtension.class,
                        StrikethroughExtension.class,
                        NullMarked.class,
                        Logger.class)
                .flatMap(type -> jar(type).stream())
                .collect(Collectors.toUnmodifiableSet());

        private final ClassLoader parley;

        Shared(ClassLoader parley) {
            super(ClassLoader.getPlatformClassLoader());
            this.parley = parley;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> found = parley.loadClass(name);
            if (jar(found).filter(JARS::contains).isEmpty()) {
                throw new ClassNotFoundException(name);
            }
            return found;
        }

        private static Optional<String> jar(Class<?> type) {
            return Optional.ofNullable(type.getProtectionDomain().getCodeSource())
                    .map(CodeSource::getLocation)
                    .map(URL::toString);
        }
    }
}
