package dev.parley.platform.testkit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.domain.RecordKey;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;

/** Jars of plug-ins, compiled against the plug-in API only. */
public final class PluginJar {
    private static final String API = classPath(
            ChannelPlugin.class, RecordKey.class, JsonNode.class, JsonFactory.class, NullMarked.class, Logger.class);

    private PluginJar() {}

    private static String classPath(Class<?>... types) {
        return Stream.of(types)
                .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * Makes a jar.
     *
     * @param sources source texts by class name
     * @param type the service type that it offers
     * @param offered names of the classes that it declares as providers
     */
    public static void make(Path jar, Map<String, String> sources, Class<?> type, String... offered)
            throws IOException {
        make(jar, sources, API, type, offered);
    }

    private static void make(Path jar, Map<String, String> sources, String classPath, Class<?> type, String... offered)
            throws IOException {
        Path classes =
                Files.createTempDirectory(jar.toAbsolutePath().getParent().getParent(), "classes");
        var units = new ArrayList<JavaFileObject>();
        new TreeMap<>(sources)
                .forEach((name, text) -> units.add(
                        new SimpleJavaFileObject(
                                URI.create("string:///" + name.replace('.', '/') + ".java"),
                                JavaFileObject.Kind.SOURCE) {
                            @Override
                            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                                return text;
                            }
                        }));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of("-proc:none", "-d", classes.toString(), "-cp", classPath);
        if (!units.isEmpty()
                && !compiler.getTask(null, null, null, options, null, units).call()) {
            throw new IOException("the sources of " + jar + " do not compile");
        }
        try (OutputStream file = Files.newOutputStream(jar);
                var out = new JarOutputStream(file);
                Stream<Path> compiled = Files.walk(classes)) {
            for (Path classFile : compiled.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(classFile).toString().replace('\\', '/')));
                Files.copy(classFile, out);
            }
            out.putNextEntry(new JarEntry("META-INF/services/" + type.getName()));
            out.write(String.join("\n", offered).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Makes a jar from the sources of a sample, which is a Maven project. */
    public static void ofSample(Path jar, Path project, Class<?> type) throws IOException {
        make(jar, sources(project.resolve("src/main/java")), type, offered(project, type));
    }

    /**
     * Makes a jar from the sources and tests of a sample.
     *
     * @param used by the tests: a class of each jar
     */
    public static void ofTestedSample(Path jar, Path project, Class<?> type, Class<?>... used) throws IOException {
        Map<String, String> sources = sources(project.resolve("src/main/java"));
        sources.putAll(sources(project.resolve("src/test/java")));
        make(jar, sources, API + File.pathSeparator + classPath(used), type, offered(project, type));
    }

    private static Map<String, String> sources(Path java) throws IOException {
        var sources = new TreeMap<String, String>();
        try (Stream<Path> files = Files.walk(java)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String name = java.relativize(file).toString().replace(".java", "");
                sources.put(name.replace(File.separatorChar, '.'), Files.readString(file));
            }
        }
        return sources;
    }

    private static String[] offered(Path project, Class<?> type) throws IOException {
        Path offers = project.resolve("src/main/resources/META-INF/services").resolve(type.getName());
        return Files.readString(offers).strip().split("\n");
    }
}
