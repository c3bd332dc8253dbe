package dev.parley.server;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * A command of a module of its own, found by {@link ServiceLoader}: benchmarks, evaluations, importers. What it needs
 * is on no server's class path.
 */
public interface Program {
    /** System property: the jars of programs, separated as in a class path; without it they are on the class path. */
    String JARS = "parley.programs";

    /** The programs that are installed here. */
    static List<Program> installed() {
        var programs = new ArrayList<Program>();
        ServiceLoader.load(Program.class, loader()).forEach(programs::add);
        return programs;
    }

    private static ClassLoader loader() {
        ClassLoader own = Program.class.getClassLoader();
        String jars = System.getProperty(JARS, "");
        if (jars.isBlank()) {
            return own;
        }
        var urls = new ArrayList<URL>();
        for (String jar : jars.split(File.pathSeparator)) {
            try {
                urls.add(Path.of(jar).toUri().toURL());
            } catch (MalformedURLException e) {
                throw new IllegalStateException("-D" + JARS + ": " + jar + " is no file", e);
            }
        }
        return new URLClassLoader("programs", urls.toArray(URL[]::new), own);
    }
}
