package dev.parley.tools.command;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An empty folder that is the home of one command, and goes with all that is in it when it is closed. */
public record TemporaryHome(Path folder) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryHome.class);
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Makes one. */
    public static TemporaryHome make() throws IOException {
        return new TemporaryHome(Files.createTempDirectory("parley-shell-"));
    }

    /** The variable of a command's environment that nobody else has; with its value, {@code HOME=…}. */
    public String mark() {
        return "HOME=" + folder;
    }

    /** Gives a command an environment of its own: a path, a language, what else it is to have, and this home. */
    public void environment(ProcessBuilder command, Map<String, String> more) {
        Map<String, String> environment = command.environment();
        environment.clear();
        environment.put("PATH", PATH);
        environment.put("LANG", "C.UTF-8");
        environment.putAll(more);
        environment.put("HOME", folder.toString());
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) throws IOException {
                    Files.delete(dir);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("folder", folder).setCause(e).log("home folder of a command could not be deleted");
        }
    }
}
