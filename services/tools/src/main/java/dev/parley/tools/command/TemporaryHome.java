package dev.parley.tools.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A temporary folder that is the home of one command; closing it deletes it with its content. */
public record TemporaryHome(Path folder) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryHome.class);
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Creates an empty one. */
    public static TemporaryHome make() throws IOException {
        return new TemporaryHome(Files.createTempDirectory("parley-shell-"));
    }

    /** The environment variable that is unique to a command, with its value: {@code HOME=…}. */
    public String mark() {
        return "HOME=" + folder;
    }

    /** Replaces the environment of a command: a path, a locale, additional variables, and this home. */
    public void environment(ProcessBuilder command, Map<String, String> additional) {
        Map<String, String> environment = command.environment();
        environment.clear();
        environment.put("PATH", PATH);
        environment.put("LANG", "C.UTF-8");
        environment.putAll(additional);
        environment.put("HOME", folder.toString());
    }

    @Override
    public void close() {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.atWarn().addKeyValue("folder", folder).setCause(e).log("home folder of a command could not be deleted");
        }
    }
}
