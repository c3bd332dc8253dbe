package dev.parley.server;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real browser: the system's Chromium, driven by what {@code .ci/run} installs in {@code .ci/browser}. */
record Chromium(Playwright playwright, Browser chromium) implements AutoCloseable {
    private static final Path MODULES =
            Path.of("../../.ci/browser/node_modules").toAbsolutePath().normalize();
    /** Other tests take the processor meanwhile. */
    private static final double PATIENCE_MS = 60_000;

    private static final List<String> QUIET = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    /** Begins one; the test is left out where there is none, which {@code .ci/run} warns of. */
    static Chromium begin() {
        Optional<Path> program = program("chromium", "chromium-browser", "google-chrome");
        Optional<Path> node = program("node");
        Assumptions.assumeTrue(
                program.isPresent() && node.isPresent() && Files.isDirectory(MODULES),
                "needs Chromium, Node.js and .ci/browser/node_modules");
        System.setProperty("playwright.cli.dir", MODULES.toString());
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
        var playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of(
                        "PLAYWRIGHT_NODEJS_PATH",
                        node.orElseThrow().toString(),
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1")));
        return new Chromium(
                playwright,
                playwright
                        .chromium()
                        .launch(new LaunchOptions()
                                .setExecutablePath(program.orElseThrow())
                                .setTimeout(PATIENCE_MS)
                                .setArgs(QUIET)));
    }

    private static Optional<Path> program(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(":")).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** A person's window, which knows nothing of the others. */
    BrowserContext window(int width) {
        var context = chromium.newContext(new Browser.NewContextOptions()
                .setViewportSize(width, 900)
                .setReducedMotion(com.microsoft.playwright.options.ReducedMotion.REDUCE));
        context.setDefaultTimeout(PATIENCE_MS);
        return context;
    }

    /** What axe finds wrong for people who cannot see, hear or point, where it is serious: a line each. */
    static List<String> barriers(Page page) {
        try {
            evaluate(page, Files.readString(MODULES.resolve("axe-core/axe.min.js")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String found = evaluate(page, """
                axe.run().then(all => all.violations.filter(one => ['serious', 'critical'].includes(one.impact))
                  .map(one => one.id + ': ' + one.nodes.map(node => node.html).slice(0, 3).join(' ')).join('\\n'))
                """);
        return found.lines().toList();
    }

    /** Evaluates a script from outside: the page's own policy lets none in. */
    static String evaluate(Page page, String script) {
        var arguments = new JsonObject();
        arguments.addProperty("expression", script);
        arguments.addProperty("awaitPromise", true);
        arguments.addProperty("returnByValue", true);
        var session = page.context().newCDPSession(page);
        var result = session.send("Runtime.evaluate", arguments).getAsJsonObject("result");
        session.detach();
        return result.has("value") ? result.get("value").getAsString() : "";
    }

    @Override
    public void close() {
        chromium.close();
        playwright.close();
    }
}
