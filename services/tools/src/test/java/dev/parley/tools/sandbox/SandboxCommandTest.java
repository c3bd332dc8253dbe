package dev.parley.tools.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dylibso.chicory.runtime.Instance;
import dev.parley.tools.sandbox.child.ScriptLanguage;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.graalvm.polyglot.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class path of a child process, whatever the class path of this one. */
class SandboxCommandTest {
    @TempDir
    Path folder;

    private static Path place(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    @Test
    void resolvesTheClassPathOfAManifest() throws IOException {
        // Given
        Path server = folder.resolve("server.jar");
        Path lib = Files.createDirectory(folder.resolve("lib"));
        Files.copy(place(Engine.class), lib.resolve("polyglot.jar"));
        Files.copy(place(Instance.class), lib.resolve("runtime.jar"));
        Files.copy(place(Test.class), lib.resolve("other.jar"));
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(Attributes.Name.CLASS_PATH, "lib/polyglot.jar lib/runtime.jar lib/other.jar lib/missing.jar");
        new JarOutputStream(Files.newOutputStream(server), manifest).close();

        // When
        String classPath = SandboxCommand.classPath(server.toString());

        // Then
        assertEquals(
                List.of(
                        place(SandboxCommand.class).toString(),
                        lib.resolve("polyglot.jar").toString(),
                        lib.resolve("runtime.jar").toString()),
                List.of(classPath.split(File.pathSeparator)));
    }

    @Test
    void limitsMemoryAndProcessorTime() throws IOException {
        String command = String.join(" ", SandboxCommand.of(ScriptLanguage.WASM, null, 64, 70));

        assertTrue(command.contains("-Xmx64m"), command);
        assertTrue(command.contains("ulimit -t 70"), command);
    }
}
