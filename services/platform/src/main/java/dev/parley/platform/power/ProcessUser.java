package dev.parley.platform.power;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The operating system user of this process. */
public final class ProcessUser {
    private ProcessUser() {}

    /** Whether it is root, whose programs may do everything on the machine. */
    public static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "root".equals(System.getProperty("user.name"));
        }
    }
}
