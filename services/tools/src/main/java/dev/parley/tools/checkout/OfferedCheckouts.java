package dev.parley.tools.checkout;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.collection.NewestMap;
import dev.parley.platform.definitions.DefinitionsPublisher;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.definitions.Scope;
import dev.parley.platform.service.Recurring;
import dev.parley.tools.Tool;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Defines the tools for checkouts in each project whose checkout is open here, and in no other: the process that has the folders
 * knows which are. All processes with the role {@code tools} have the same folders and settings.
 */
public final class OfferedCheckouts extends Recurring {
    private static final Logger LOG = LoggerFactory.getLogger(OfferedCheckouts.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** Erased projects are many, and seldom one more. */
    private static final int ROUNDS_BETWEEN_ERASED = 60;
    /** Each has records on {@code definitions}. */
    private static final int MOST = 1_000;

    private final Checkouts checkouts;
    private final List<ToolSpec> tools;
    private final AccessFollower directory;
    private final KafkaDefinitions definitions;
    private final DefinitionsPublisher publisher;
    private final Map<UUID, String> closed = new NewestMap<>(MOST);
    private int round;

    /** @param tools for checkouts that there are here; none where none are allowed */
    public OfferedCheckouts(
            Checkouts checkouts,
            Collection<? extends Tool> tools,
            AccessFollower directory,
            KafkaDefinitions definitions,
            DefinitionsPublisher publisher) {
        super("checkouts", Duration.ZERO, "tools for checkouts cannot be defined now");
        this.checkouts = checkouts;
        this.tools = tools.stream().map(Tool::spec).toList();
        this.directory = directory;
        this.definitions = definitions;
        this.publisher = publisher;
    }

    /** What models are told of these tools. */
    public List<ToolSpec> specs() {
        return tools;
    }

    @Override
    protected void pass() {
        int open = 0;
        for (Project project : directory.withCheckout()) {
            boolean offered = open < MOST && isOpen(project);
            open += offered ? 1 : 0;
            define(project, offered ? tools : List.of());
        }
        if (round++ % ROUNDS_BETWEEN_ERASED == 0) {
            directory.erased().stream()
                    .filter(Project.class::isInstance)
                    .forEach(project -> define((Project) project, List.of()));
        }
        if (tools.isEmpty()) {
            finish(); // what was offered before is taken back, and nothing will be
        }
    }

    @Override
    protected Duration rest(boolean failed) {
        return LOOK;
    }

    /** Who runs Parley is told once why a project has no tools for its checkout. */
    private boolean isOpen(Project project) {
        try {
            checkouts.of(project);
            closed.remove(project.project());
            return true;
        } catch (CheckoutException e) {
            if (!tools.isEmpty() && !e.getMessage().equals(closed.put(project.project(), e.getMessage()))) {
                LOG.atWarn()
                        .addKeyValue("project", project.project())
                        .addKeyValue("path", project.checkout())
                        .log("a project has no tools for its checkout: {}", e.getMessage());
            }
            return false;
        }
    }

    private void define(Project project, List<ToolSpec> wanted) {
        var scope = new Scope(project.host(), project.project());
        List<ToolSpec> changed = wanted.stream()
                .filter(tool -> !definitions.shows(scope.key(tool), tool))
                .toList();
        List<String> gone = ToolSpec.OF_CHECKOUT.stream()
                .filter(name -> wanted.stream().noneMatch(tool -> tool.name().equals(name)))
                .map(name -> scope.key("tool", name))
                .filter(key -> !definitions.shows(key, null))
                .toList();
        publisher.publish(scope, changed, gone);
    }
}
