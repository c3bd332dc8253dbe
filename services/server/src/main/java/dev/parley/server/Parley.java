package dev.parley.server;

import dev.parley.agents.model.ModelProviders;
import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.config.EnvironmentVariables;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.embedded.StartupException;
import dev.parley.server.apply.ApplyCommand;
import dev.parley.server.archive.ExportCommand;
import dev.parley.server.archive.ImportCommand;
import dev.parley.server.archive.ImportConversationCommand;
import dev.parley.server.canary.CanaryCommand;
import dev.parley.server.channel.ChannelCommand;
import dev.parley.server.chat.ChatCommand;
import dev.parley.server.client.DeadLettersCommand;
import dev.parley.server.client.RootCommand;
import dev.parley.server.client.TakenSessionsCommand;
import dev.parley.server.workflow.TaskCommand;
import dev.parley.server.workflow.WorkflowCliCommand;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "parley",
        description = "The streaming backend for chat agents.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DevCommand.class,
            RunCommand.class,
            ChatCommand.class,
            DoctorCommand.class,
            ChannelCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            ImportConversationCommand.class,
            ApplyCommand.class,
            DeadLettersCommand.class,
            TakenSessionsCommand.class,
            AuditCommand.class,
            CanaryCommand.class,
            CopyDataCommand.class,
            ReplayCommand.class,
            ReplaySessionCommand.class,
            TopicsCommand.class,
            ReaderCommand.class,
            ValidateCommand.class,
            WorkflowCliCommand.class,
            TaskCommand.class
        })
public final class Parley implements RootCommand {
    /** Commands that serve, which load no {@link Program}. */
    private static final Set<String> SERVERS = Set.of("dev", "run");

    @Option(
            names = "--config",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "settings, instead of ./parley.yml")
    private @Nullable String config;

    @Option(
            names = "--data",
            scope = ScopeType.INHERIT,
            paramLabel = "DIR",
            description = "the data folder, instead of ./data")
    private @Nullable String data;

    @Option(
            names = "--port",
            scope = ScopeType.INHERIT,
            paramLabel = "PORT",
            description = "the HTTP port, instead of 8080")
    private @Nullable String port;

    @Option(
            names = "--roles",
            scope = ScopeType.INHERIT,
            paramLabel = "ROLES",
            description = "all, or some of control,channels,agents,models,tools,memory,workflows,sessions,console,mcp")
    private @Nullable String roles;

    @Spec
    private CommandSpec spec;

    private final Map<String, String> environment;

    private Parley(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Runs one command and exits: 0 done, 1 failed, 2 wrongly called. */
    public static void main(String[] args) {
        boolean serves = args.length > 0 && SERVERS.contains(args[0]);
        System.exit(commandLine(System.getenv(), serves ? List.of() : Program.installed())
                .execute(args));
    }

    static CommandLine commandLine(Map<String, String> environment, List<Program> programs) {
        var line = new CommandLine(new Parley(environment))
                .setExecutionExceptionHandler((failure, command, result) -> explain(failure, command));
        programs.forEach(line::addSubcommand);
        return line;
    }

    private static int explain(Exception failure, CommandLine line) throws Exception {
        if (failure instanceof ConfigException
                || failure instanceof StartupException
                || failure instanceof IllegalStateException) {
            line.getErr().println(failure.getMessage());
            return 1;
        }
        throw failure;
    }

    @Override
    public ParleyConfig config() {
        if (config != null && !Files.exists(Path.of(config))) {
            throw new ConfigException("--config", "the file '" + config + "' does not exist");
        }
        var settings = new HashMap<>(environment);
        set(settings, "PARLEY_CONFIG", config);
        set(settings, "PARLEY_DATA", data);
        set(settings, "PARLEY_PORT", port);
        set(settings, "PARLEY_ROLES", roles);
        PrintWriter err = spec.commandLine().getErr();
        EnvironmentVariables.warnings(environment).forEach(err::println);
        ParleyConfig parsed = ConfigReader.read(settings);
        ModelProviders.check(parsed);
        return parsed;
    }

    private static void set(Map<String, String> settings, String name, @Nullable String value) {
        if (value != null) {
            settings.put(name, value);
        }
    }
}
