package dev.parley.tools.sandbox;

import dev.parley.tools.sandbox.child.SandboxChild;
import dev.parley.tools.sandbox.child.ScriptLanguage;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The command line of a sandbox JVM: bounded memory and CPU time, and a minimal class path. */
final class SandboxCommand {
    /** The names of the modules of the languages and their runtimes. */
    private static final Pattern LANGUAGES =
            Pattern.compile("(org\\.graalvm|com\\.oracle\\.truffle|com\\.dylibso\\.chicory)\\..*");

    /** Limits of the shell: no core files, no writing to files, few open files, and bounded CPU seconds. */
    private static final String LIMITED = "ulimit -c 0; ulimit -f 0; ulimit -n 256; ulimit -t %d; exec \"$0\" \"$@\"";

    private static final Path SHELL = Path.of("/bin/sh");

    private SandboxCommand() {}

    /**
     * The command line.
     *
     * @param folder the folder with the language in {@code lib} and its library in {@code resources}, or null if it is
     *     on the class path of this process
     * @param heapMiB the maximum heap
     * @param cpuSeconds the maximum CPU time, enforced if there is a shell
     * @throws IOException when the folder does not exist
     */
    static List<String> of(ScriptLanguage language, @Nullable Path folder, int heapMiB, int cpuSeconds)
            throws IOException {
        // GraalPy reads its library only by its real path
        Path home = folder == null ? null : folder.toRealPath();
        var command = new ArrayList<String>();
        if (Files.isExecutable(SHELL)) {
            command.addAll(List.of(SHELL.toString(), "-c", LIMITED.formatted(cpuSeconds)));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions(heapMiB));
        if (home != null) {
            command.add("-Dpolyglot.engine.resourcePath=" + home.resolve("resources"));
        }
        command.addAll(List.of(
                "-cp",
                home == null
                        ? classPath(System.getProperty("java.class.path"))
                        : codeLocation() + File.pathSeparator + home.resolve("lib") + File.separator + "*",
                SandboxChild.class.getName(),
                language.name()));
        return List.copyOf(command);
    }

    private static List<String> jvmOptions(int heapMiB) {
        return List.of(
                "-Xmx" + heapMiB + "m",
                "-XX:MaxMetaspaceSize=160m",
                "-XX:MaxDirectMemorySize=16m",
                "-XX:ReservedCodeCacheSize=48m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseSerialGC", // few threads and little memory
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:+DisableAttachMechanism",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow");
    }

    /** The part of a class path that a sandbox process needs. */
    static String classPath(String fullClassPath) {
        Set<Path> entries = entries(fullClassPath);
        Set<Path> needed = new LinkedHashSet<>();
        needed.add(codeLocation());
        entries.stream().filter(SandboxCommand::isLanguage).forEach(needed::add);
        return needed.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static Path codeLocation() {
        return Path.of(URI.create(SandboxChild.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
    }

    /** The entries of a class path, including those in manifests of jars. */
    private static Set<Path> entries(String classPath) {
        var entries = new LinkedHashSet<Path>();
        for (String entry : classPath.split(File.pathSeparator)) {
            Path path = Path.of(entry).toAbsolutePath();
            entries.add(path);
            entries.addAll(manifestEntries(path));
        }
        return entries;
    }

    private static List<Path> manifestEntries(Path jar) {
        if (!Files.isRegularFile(jar)) {
            return List.of();
        }
        try (var file = new JarFile(jar.toFile())) {
            Optional<String> classPath = Optional.ofNullable(file.getManifest())
                    .map(Manifest::getMainAttributes)
                    .map(main -> main.getValue(Attributes.Name.CLASS_PATH));
            return classPath.stream()
                    .flatMap(text -> List.of(text.split(" ")).stream())
                    .filter(text -> !text.isBlank())
                    .map(text -> Path.of(jar.toUri().resolve(text)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + jar, e);
        }
    }

    private static boolean isLanguage(Path entry) {
        if (!Files.isRegularFile(entry)) {
            return false;
        }
        try {
            return ModuleFinder.of(entry).findAll().stream()
                    .map(ModuleReference::descriptor)
                    .anyMatch(module -> LANGUAGES.matcher(module.name()).matches());
        } catch (FindException e) {
            return false; // not a module
        }
    }
}
