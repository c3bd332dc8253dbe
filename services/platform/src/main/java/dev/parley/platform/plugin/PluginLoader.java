package dev.parley.platform.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.domain.RecordKey;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.databind.JsonNode;

/**
 * The classes of one plug-in. It sees Java's own ones and those of the API of plug-ins; whatever else Parley has in its
 * libraries it does not see, so that it brings its own versions.
 */
final class PluginLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    PluginLoader(String name, URL[] jars) {
        super(name, jars, new Shared(PluginLoader.class.getClassLoader()));
    }

    /** What Parley and plug-ins have in common: the jars of the API and of what it depends on, which these classes stand for. */
    private static final class Shared extends ClassLoader {
        private static final Set<String> JARS = Stream.of(
                        ChannelPlugin.class,
                        RecordKey.class,
                        JsonNode.class,
                        TokenStreamFactory.class,
                        JsonProperty.class,
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
