package example.folder;

import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Connection;
import java.nio.file.Path;

/**
 * Conversations in files: who puts {@code in/CHAT/USER/ID.txt} into the bot's folder (under another name first, then
 * renamed) finds replies in {@code out/CHAT}, in order of their names, and what is not taken in {@code refused/CHAT}.
 */
public final class FolderChannel implements ChannelPlugin {
    @Override
    public String kind() {
        return "folder";
    }

    @Override
    public Connection connect(ChannelBot bot) {
        String path = bot.settings().get("path");
        if (path == null) {
            throw new IllegalArgumentException("the setting 'path' names the bot's folder");
        }
        return new Folder(bot, Path.of(path));
    }
}
