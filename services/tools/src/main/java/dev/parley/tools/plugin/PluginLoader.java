package dev.parley.tools.plugin;

import java.net.URL;
import java.net.URLClassLoader;

/**
 * The classes of one plug-in. It sees Java's own ones and those that tools are made of; whatever else Parley has in its
 * libraries it does not see, so that it brings its own versions.
 */
final class PluginLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    PluginLoader(String name, URL[] jars) {
        super(name, jars, new Shared(PluginLoader.class.getClassLoader()));
    }

    /** What Parley and plug-ins have in common. */
    private static final class Shared extends ClassLoader {
        /** Prefixes of classes; those of a package's own classes, not of the packages below it, end in a dot and a star. */
        private static final String[] SHARED = {
            "dev.parley.tools.*",
            "dev.parley.domain.",
            "dev.parley.platform.worker.",
            "tools.jackson.",
            "com.fasterxml.jackson.annotation.",
            "org.jspecify.annotations.",
            "org.slf4j."
        };

        private final ClassLoader parley;

        Shared(ClassLoader parley) {
            super(ClassLoader.getPlatformClassLoader());
            this.parley = parley;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            for (String prefix : SHARED) {
                if (isOf(name, prefix)) {
                    return parley.loadClass(name);
                }
            }
            throw new ClassNotFoundException(name);
        }

        private static boolean isOf(String name, String prefix) {
            if (!prefix.endsWith("*")) {
                return name.startsWith(prefix);
            }
            String start = prefix.substring(0, prefix.length() - 1);
            return name.startsWith(start) && name.indexOf('.', start.length()) < 0;
        }
    }
}
