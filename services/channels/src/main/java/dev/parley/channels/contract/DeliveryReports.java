package dev.parley.channels.contract;

/** Records what became of sent messages, for all instances. */
@FunctionalInterface
public interface DeliveryReports {

    /**
     * Records a report about a message of a bot.
     *
     * @return false where it says nothing new, or the message is unknown
     * @throws IllegalStateException while the database does not answer
     */
    boolean record(String bot, DeliveryReport report);
}
