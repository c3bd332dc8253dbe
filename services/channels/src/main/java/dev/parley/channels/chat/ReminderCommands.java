package dev.parley.channels.chat;

import dev.parley.channels.chat.ChatCommands.CommandReply;
import dev.parley.channels.chat.ChatCommands.Context;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.domain.Ids;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.RemindersListed;
import dev.parley.domain.protocol.Reminder;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.CancelReminder;
import dev.parley.domain.protocol.TurnCommand.ListReminders;
import dev.parley.domain.protocol.TurnCommand.SetQuietHours;
import dev.parley.platform.config.bot.BotConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command {@code /reminders}: lists the sender's reminders of the conversation, cancels one ({@code cancel 2}), sets
 * their quiet hours ({@code quiet 22:00-07:00 Europe/Berlin}) or ends them ({@code quiet off}).
 */
record ReminderCommands(BotConfig bot, Intake intake) {
    /** The name of the command. */
    static final String NAME = "reminders";

    /** The action of a button that cancels a reminder; the value is its id. */
    static final String CANCEL = "unremind";

    private static final Pattern CANCELS = Pattern.compile("cancel\\s+(\\d{1,3})");
    private static final Pattern QUIET =
            Pattern.compile("quiet\\s+(\\d\\d:\\d\\d)\\s*-\\s*(\\d\\d:\\d\\d)(?:\\s+(\\S+))?");
    private static final Pattern QUIET_OFF = Pattern.compile("quiet\\s+off");
    private static final int MAX_SHOWN = 200;

    Optional<CommandReply> execute(String argument, Context context) throws UnavailableException, InterruptedException {
        Matcher cancels = CANCELS.matcher(argument);
        Matcher quiet = QUIET.matcher(argument);
        if (cancels.matches()) {
            return cancel(Integer.parseInt(cancels.group(1)), context);
        }
        if (QUIET_OFF.matcher(argument.toLowerCase(Locale.ROOT)).matches()) {
            return done(submit(context, "", meta -> new SetQuietHours(meta, null)), "quiet-off", context);
        }
        if (quiet.matches()) {
            return setQuiet(quiet, context);
        }
        return argument.isBlank() ? list(context) : reply(context, "reminders-usage");
    }

    private Optional<CommandReply> list(Context context) throws UnavailableException, InterruptedException {
        Optional<RemindersListed> listed = listed(context);
        if (listed.isEmpty()) {
            return reply(context, "late");
        }
        var lines = new ArrayList<String>();
        var choices = new ArrayList<Choice>();
        for (Reminder reminder : own(listed.get(), context)) {
            String number = Integer.toString(lines.size() + 1);
            String repeats = reminder.cron() == null ? "" : " ↻";
            lines.add(number + ". " + reminder.when() + repeats + " – " + clipped(reminder.text()));
            choices.add(new Choice("✕ " + number, CANCEL, reminder.id().toString()));
        }
        if (lines.isEmpty()) {
            lines.add(context.texts().format("no-reminders"));
        }
        String user = user(context);
        listed.get().quiet().stream()
                .filter(hours -> Objects.equals(hours.user(), user))
                .map(hours -> context.texts().format("quiet-hours", hours))
                .forEach(lines::add);
        return Optional.of(new CommandReply(String.join("\n", lines), choices));
    }

    private static String clipped(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() <= MAX_SHOWN ? line : line.substring(0, MAX_SHOWN) + "…";
    }

    private Optional<CommandReply> cancel(int number, Context context)
            throws UnavailableException, InterruptedException {
        List<Reminder> own = listed(context).map(listed -> own(listed, context)).orElse(List.of());
        return number < 1 || number > own.size()
                ? reply(context, "no-such-reminder")
                : cancel(own.get(number - 1).id(), context);
    }

    /** Cancels the reminder of a button. */
    Optional<CommandReply> cancel(String id, Context context) throws UnavailableException, InterruptedException {
        return cancel(Ids.parse(id), context);
    }

    private Optional<CommandReply> cancel(UUID id, Context context) throws UnavailableException, InterruptedException {
        var outcome = submit(context, "", meta -> new CancelReminder(meta, id));
        boolean isOver = outcome.orElse(null) instanceof Outcome.Refused refused
                && refused.code().equals("unknown_reminder");
        return isOver ? reply(context, "no-such-reminder") : done(outcome, "reminder-cancelled", context);
    }

    private Optional<CommandReply> setQuiet(Matcher quiet, Context context)
            throws UnavailableException, InterruptedException {
        String zone = quiet.group(3);
        QuietHours hours;
        try {
            hours = new QuietHours(
                    user(context),
                    quiet.group(1),
                    quiet.group(2),
                    zone == null
                            ? listed(context).map(RemindersListed::timeZone).orElse("UTC")
                            : zone);
        } catch (IllegalArgumentException e) {
            return reply(context, "reminders-usage");
        }
        return done(submit(context, "", meta -> new SetQuietHours(meta, hours)), "quiet-hours", context, hours);
    }

    private Optional<RemindersListed> listed(Context context) throws UnavailableException, InterruptedException {
        return submit(context, " list", ListReminders::new)
                .filter(RemindersListed.class::isInstance)
                .map(RemindersListed.class::cast);
    }

    private List<Reminder> own(RemindersListed listed, Context context) {
        return listed.reminders().stream()
                .filter(reminder -> Objects.equals(reminder.user(), user(context)))
                .toList();
    }

    private String user(Context context) {
        return Intake.user(bot.kind(), context.sender());
    }

    private Optional<Outcome> submit(Context context, String step, Function<CommandMeta, TurnCommand> command)
            throws UnavailableException, InterruptedException {
        return intake.execute(context.address(), bot.kind(), context.reference() + step, context.sender(), command);
    }

    private static Optional<CommandReply> reply(Context context, String text) {
        return CommandReply.of(context.texts().format(text));
    }

    private static Optional<CommandReply> done(
            Optional<Outcome> outcome, String text, Context context, Object... values) {
        return switch (outcome.orElse(null)) {
            case null -> reply(context, "late");
            case Outcome.Refused refused -> CommandReply.of(context.texts().format("no-work", refused.message()));
            default -> CommandReply.of(context.texts().format(text, values));
        };
    }
}
