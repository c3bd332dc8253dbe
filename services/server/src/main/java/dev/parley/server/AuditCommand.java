package dev.parley.server;

import dev.parley.domain.RecordKey;
import dev.parley.platform.embedded.StartupException;
import dev.parley.server.audit.AuditException;
import dev.parley.server.audit.AuditRange;
import dev.parley.server.audit.AuditResult;
import dev.parley.server.audit.AuditText;
import dev.parley.server.audit.TimeOptions;
import dev.parley.server.audit.TopicAudit;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code parley audit}: verifies from the topics alone that nothing was lost or done twice. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description =
                "Verifies from the topics that every message, turn, tool call, approval and command has exactly one outcome."
                        + " Lists the exceptions. Works whether Parley is running or not."
                        + " Exit status: 0 proved, 1 exceptions found, 2 the topics could not be read.")
final class AuditCommand implements Callable<Integer> {
    private static final int PROVED = 0;
    private static final int EXCEPTIONS = 1;
    private static final int NOT_AUDITED = 2;
    private static final int MAX_SHOWN = 10_000;

    @ParentCommand
    private Parley parent;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "begin of the range: 2026-11-26T12:00:00Z, or how long ago, such as 90m or 7d (24h)")
    private String from = "24h";

    @Option(names = "--to", paramLabel = "TIME", description = "end of the range (now); outcomes after it count")
    private @Nullable String to;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            description = "work that began, or was due, less than this ago may be in progress (5m)")
    private String grace = "5m";

    @Option(
            names = "--look-back",
            paramLabel = "DURATION",
            description = "time before the range that is read, for work that began earlier (1h)")
    private String lookBack = "1h";

    @Option(names = "--session", paramLabel = "KEY", description = "only this session, KEY or PROJECT/KEY")
    private @Nullable String session;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "maximum of exceptions listed, the newest first (100, at most 10000); all are counted")
    private int limit = 100;

    @Option(names = "--json", description = "prints JSON")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        CommandLine line = spec.commandLine();
        AuditRange range = range();
        try (Infrastructure infrastructure = Infrastructure.of(parent.config())) {
            AuditResult result = new TopicAudit(infrastructure.clients(), range, line.getErr()).run();
            if (json) {
                AuditText.json(result, line.getOut());
            } else {
                AuditText.print(result, line.getOut());
            }
            return result.isProved() ? PROVED : EXCEPTIONS;
        } catch (AuditException | StartupException e) {
            line.getErr().println(Objects.requireNonNull(e.getMessage()));
            return NOT_AUDITED;
        } finally {
            line.getOut().flush();
            line.getErr().flush();
        }
    }

    private AuditRange range() {
        Instant now = Instant.now();
        try {
            Instant start = TimeOptions.instant(from, now);
            Instant end = to == null ? now : TimeOptions.instant(to, now);
            if (!start.isBefore(end)) {
                throw new IllegalArgumentException("the range ends before it begins");
            }
            if (limit < 1 || limit > MAX_SHOWN) {
                throw new IllegalArgumentException("--limit is 1 to " + MAX_SHOWN);
            }
            return new AuditRange(
                    start, end, now, TimeOptions.duration(grace), TimeOptions.duration(lookBack), key(session), limit);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static @Nullable String key(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return (text.contains("/") ? RecordKey.parse(text) : RecordKey.of(text)).toString();
    }
}
