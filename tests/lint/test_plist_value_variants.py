"""Variants of the rules on paths, arguments, triggers and the environment."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lint.plist_findings import codes
from tests.lint.variants import Table, rows

from jobs.lint.sample import DAEMON_PATH, DAILY, environment, flag, job, key, number


def argv(words: Any) -> str:
    return job(argv=tuple(words))


def program(text: Any) -> str:
    return job(argv=(str(text),))


def argument(text: Any) -> str:
    return job(argv=("/usr/local/bin/tidy", str(text)))


def log(text: Any) -> str:
    return job(key("StandardOutPath", str(text)))


def folder(text: Any) -> str:
    return job(key("WorkingDirectory", str(text)))


def inner(text: Any) -> str:
    return job(str(text))


def daemon(text: Any) -> str:
    """A job that only its own trigger starts."""
    return job(str(text), trigger="")


def variable(pair: Any) -> str:
    name, value = pair
    return job(environment(**{name: value}))


def keep(*pairs: str) -> str:
    inside = "".join(f"<key>{pair.partition('=')[0]}</key><{pair.partition('=')[2]}/>" for pair in pairs)
    return f"<key>KeepAlive</key><dict>{inside}</dict>"


def secret(*parts: str) -> str:
    """A made-up secret, put together here so that no scanner takes this file for a leak."""
    return "".join(parts)


VALUES = (
    Table(
        "P120",
        program,
        bad=[
            "/usr/bin/rsync -a /src /dst",
            "/usr/bin/python3 /Users/kim/a.py",
            "/bin/sh script.sh",
            "python3 /Users/kim/a.py --all",
            "/Users/kim/bin/backup.sh daily",
            "cd /Users/kim &amp;&amp; ./run.sh",
            "/usr/bin/open -a Safari",
            "bash -c 'echo hi'",
            "/Library/Application Support/Tidy/tidy --all",
            "/Applications/My Tool.app/Contents/MacOS/My Tool --hidden",
            "/usr/local/bin/node server.js",
            "/opt/homebrew/bin/tidy run",
            "/Users/kim/bin/tidy &gt; /usr/local/a",
        ],
        good=[
            "/Applications/My Tool.app/Contents/MacOS/My Tool",
            "/Library/Little Snitch/Little Snitch Agent.app/Contents/MacOS/Little Snitch Agent",
            "/Library/Application Support/Tidy/tidy",
            "/Users/kim/My Scripts/run.sh",
            "/Users/kim/My Scripts/run all.sh",
            "/Applications/A - B.app/Contents/MacOS/A - B",
            "/Applications/QEMU &amp; Tools/qemu",
            "/usr/local/bin/tidy",
            "/Volumes/Macintosh HD/usr/local/bin/tidy",
        ],
    ),
    Table(
        "P120",
        argv,
        bad=[
            ("/bin/bash", "/Users/kim/run.sh --daily"),
            ("/usr/bin/python3", "a.py --x"),
            ("/usr/local/bin/tidy", "--port 8080"),
            ("/usr/local/bin/tidy", "-a -b"),
            ("/usr/local/bin/tidy", "--name value --other"),
            ("/usr/bin/ruby", "/Users/kim/a.rb daily"),
            ("/bin/zsh", "run.zsh all"),
            ("/usr/bin/caffeinate", "--timeout 10"),
        ],
        good=[
            ("/bin/bash", "-c", "/Users/kim/run.sh --daily"),
            ("/bin/zsh", "-lc", "cd /a &amp;&amp; ./b --c"),
            ("/usr/local/bin/tidy", "--name=My Mac"),
            ("/usr/local/bin/tidy", "My Mac"),
            ("/bin/bash", "/Users/kim/My Scripts/run.sh"),
            ("/usr/bin/osascript", "-e", 'tell application "Finder" to activate'),
            ("/usr/bin/env", "bash", "-lc", "cd ~/a; npm run start --silent"),
            ("/usr/bin/ssh", "host", "--x y"),
        ],
    ),
    Table(
        "P121",
        argument,
        bad=[
            ' --conf="/etc/a"',
            '"quoted"',
            "'quoted'",
            '--name="My Mac"',
            "--path='/a b'",
            " leading",
            "trailing ",
            "\n/usr/a\n",
            "/Users/kim/My\\ Files",
            '\\"x\\"',
        ],
        good=[
            "--conf=/etc/a",
            '{"a": "b"}',
            '["a", "b"]',
            '{"mode": "x\\"y"}',
            "^\\d+\\.txt$",
            "it's",
            'say "hi" now',
            "a b",
            "",
        ],
    ),
    Table(
        "P121",
        argv,
        bad=[("/Applications/My\\ Tool.app/Contents/MacOS/t",), ('"/usr/local/bin/tidy"',), (" /usr/local/bin/tidy",), ("/usr/local/bin/tidy\n",)] * 2,
        good=[
            ("/bin/sh", "-c", 'echo "a"'),
            ("/bin/bash", "-lc", " cd /a "),
            ("/usr/bin/python3", "-c", "print('a')"),
            ("/usr/bin/osascript", "-e", '"x"'),
            ("/usr/bin/perl", "-e", 'print "x"'),
            ("/usr/bin/awk", '"x"'),
            ("/usr/bin/ssh", "h", '"x"'),
            ("/usr/bin/env", "sh", "-c", '"x"'),
        ],
    ),
    Table(
        "P122",
        argument,
        bad=["&gt;", "&gt;&gt;", "2&gt;&amp;1", "|", "&amp;&amp;", "||", ";", "&gt;/usr/local/a.log", "&amp;", "1&gt;&gt;"],
        good=["a&gt;b", "a|b", "a;b", "-", "--", "&lt;x&gt;", "a &amp;&amp; b", "x", "=&gt;"],
    ),
    Table(
        "P123",
        log,
        bad=[
            "$HOME/a.log", "${HOME}/a.log", "/Users/$USER/a.log", "$(brew --prefix)/a.log", "`pwd`/a.log", "${LOG_DIR}/a", "$logdir/a.log",
            "/Users/${USER}/a", "$TMPDIR/a.log", "/var/log/$LABEL.log",
        ],
        good=["/Users/kim/a.log", "/a/$1", "/a/b$", "/a/$$", "/usr/pa$sword", "/a/b`c", "/a/{b}", "/a/%h", "/a/(b)"],
    ),
    Table(
        "P123",
        variable,
        bad=[
            ("PATH", "$HOME/bin:/usr/bin"), ("PATH", "/usr/bin:$PATH"), ("A", "${HOME}/x"), ("HOME", "$HOME"), ("A", "$(hostname)"),
            ("A", "/x/${B:-c}"), ("A", "$USER"), ("PYTHONPATH", "$PWD"),
        ],
        good=[
            ("PATH", "/usr/bin"), ("A", "pa$sword"), ("A", "$"), ("A", "5$"), ("A", "a$b$c"), ("A", "^x$"), ("A", "$1"), ("A", "cost: $5"),
        ],
    ),
    Table(
        "P123",
        argv,
        bad=[
            ("$HOME/bin/tidy",), ("${HOME}/bin/tidy",), ("/bin/bash", "$HOME/run.sh"), ("/usr/local/bin/tidy", "--c=$HOME/x"),
            ("/bin/launchctl", "setenv", "PATH", "/usr/local/bin:$PATH"), ("/usr/bin/python3", "$(pwd)/a.py"),
            ("/usr/local/bin/tidy", "${A}"), ("/usr/bin/env", "A=$HOME", "/bin/ls"),
        ],
        good=[
            ("/bin/bash", "-c", "echo $HOME"), ("/bin/zsh", "-lc", "exec $HOME/x"), ("/usr/bin/env", "bash", "-lc", "echo ${A}"),
            ("/usr/bin/awk", "{print $NF}"), ("/usr/bin/perl", "-e", "print $ENV{HOME}"), ("/usr/bin/ssh", "h", "echo $HOME"),
            ("/usr/bin/find", "/a", "-exec", "echo", "$X", ";"), ("/usr/bin/su", "kim", "-c", "echo $HOME"),
            ("/usr/bin/sudo", "-u", "kim", "/bin/bash", "-c", "echo $HOME"), ("/usr/bin/make", "-C", "/a", "X=$(Y)"),
        ],
    ),
    Table(
        "P124",
        log,
        bad=["~/a.log", "~kim/a.log", "~", "~/Library/Logs/a.log", "~/.a", "~/a b", "~root/x", "~/"],
        good=["/a.log", "/a~", "/a/~b", "/Users/kim/~", "/a/b~1", "/x/a.log~", "/~x", "/Users/kim/a.log"],
    ),
    Table(
        "P124",
        argument,
        bad=["~/a", "--conf=~/a", "~", "~kim/a", "-o=~/b", "~/.config", "~/a b", "if=~/x"],
        good=["a~", "host:~/a", "/a/~", "~~", "a=b~", "-~", "x~/y", "~1.5"],
    ),
    Table(
        "P125",
        folder,
        bad=[
            "/Users/YOUR_NAME/a", "/Users/USERNAME/a", "/Users/username/a", "/Users/yourname/a", "/Users/you/a", "/path/to/a", "/Users/{{USER}}/a",
            "__HOME__/a", "@HOME@/a", "/Users/&lt;user&gt;/a", "/full/path/to/a", "/Users/YourUser/a", "%HOME%/a", "/Users/CHANGE_ME/a", "/a/REPLACE_ME",
        ],
        good=[
            "/Users/kim/a", "/Users/Shared/a", "/Users/admin/a", "/usr/local/pathto/a", "/a/__init__", "/a/b@c", "/Users/user1/a", "/srv/youth",
            "/Users/jdoe/youruser.d/a",
        ],
    ),
    Table(
        "P126",
        argv,
        bad=[
            ("mytool", "run"), ("node", "a.js"), ("./run.sh",), ("bin/run",), ("npx", "x"), ("rsync", "-a"), ("bash", "x.sh"), ("uv", "run"),
            ("python", "a.py"), ("../x",),
        ],
        good=[
            ("/usr/local/bin/mytool",), ("/bin/sh", "x"), ("/opt/homebrew/bin/node", "a.js"), ("/Users/kim/run.sh",), ("~/run.sh",), ("$X/run",),
            ("/usr/bin/env", "node"), ("path/to/run",),
        ],
    ),
    Table(
        "P127",
        log,
        bad=["a.log", "logs/a.log", "./a.log", "../a.log", "a", "Library/Logs/a.log", "HOME/a.log", "var/log/x"],
        good=["/a.log", "/dev/null", "/usr/local/var/a.log", "/Users/kim/a b.log", "/a//b", "/a/../b", "/a/./b", "/Users/kim/Library/Logs/é.log"],
    ),
    Table(
        "P128",
        log,
        bad=["/Library/Logs/a.log", "/var/log/a.log", "/private/var/log/a.log", "/etc/a", "/a.log", "/usr/bin/a", "/var/run/a", "/System/a"],
        good=[
            "/Users/kim/a.log", "/usr/local/var/log/a.log", "/opt/homebrew/var/log/a", "/dev/null", "/Users/Shared/a.log", "/opt/a/b.log",
            "/Volumes/x/a", "/srv/x/a.log",
        ],
    ),
    Table("P128", log, bad=["/var/log/x/a.log", "/Library/a/b"] * 4, good=["/var/folders/a", "/var/tmp/a"] * 4),
    Table(
        "P128",
        log,
        bad=[],
        good=["/var/log/a.log", "/Library/Logs/a.log", "/etc/a", "/a.log", "/private/var/log/x", "/usr/lib/a", "/sbin/a", "/var/db/a"],
        path=DAEMON_PATH,
    ),
    Table(
        "P129",
        log,
        bad=["/tmp/a.log", "/private/tmp/a.log", "/var/tmp/a.log", "/tmp/a/b.log", "/tmp/.a", "/private/var/tmp/a", "/tmp/a b", "/tmp/é"],
        good=["/Users/kim/tmp/a.log", "/dev/null", "/usr/tmp/a", "/tmpx/a", "/Users/kim/a.tmp", "/opt/tmp/a", "/usr/local/var/tmp/a", "/a/tmp/b"],
    ),
    Table(
        "P130",
        inner,
        bad=[
            flag("KeepAlive"), keep("SuccessfulExit=true"), keep("SuccessfulExit=false"), keep("Crashed=true"), keep("Crashed=false"),
            keep("Crashed=false", "SuccessfulExit=false"), flag("OnDemand", value=False),
            "<key>KeepAlive</key><dict><key>PathState</key><dict><key>/a</key><true/></dict></dict>",
        ],
        good=[
            flag("KeepAlive", value=False), "<key>KeepAlive</key><dict/>", flag("OnDemand"), flag("RunAtLoad"), keep("NetworkState=true"),
            number("ThrottleInterval", 60), flag("AbandonProcessGroup"), "",
        ],
    ),
    Table(
        "P130",
        daemon,
        bad=[flag("KeepAlive") + number("StartInterval", 60), flag("KeepAlive") + DAILY] * 4,
        good=[
            flag("KeepAlive"), keep("SuccessfulExit=false"), keep("Crashed=true"), flag("KeepAlive") + flag("RunAtLoad"),
            flag("KeepAlive") + "<key>WatchPaths</key><array><string>/a</string></array>", flag("OnDemand", value=False),
            flag("KeepAlive") + number("StartInterval", 0), keep("SuccessfulExit=true"),
        ],
    ),
    Table(
        "P131",
        daemon,
        bad=[
            keep("Crashed=false"), keep("Crashed=false", "SuccessfulExit=false"), keep("SuccessfulExit=true", "Crashed=true"), "<key>KeepAlive</key><dict/>",
            keep("SuccessfulExit=false", "Crashed=false"), keep("Crashed=false") + flag("RunAtLoad"), keep("Crashed=true", "SuccessfulExit=true"),
            keep("Crashed=false", "NetworkState=true"),
        ],
        good=[
            keep("Crashed=true"), keep("SuccessfulExit=false"), keep("SuccessfulExit=true"), keep("SuccessfulExit=false", "Crashed=true"),
            flag("KeepAlive"), flag("KeepAlive", value=False), flag("RunAtLoad"), keep("NetworkState=true"),
        ],
    ),
    Table(
        "P133",
        inner,
        bad=[number("Umask", value) for value in (22, 27, 77, 22, 177, 72)] + [key("Umask", "22"), key("Umask", "77"), key("Umask", "777")],
        good=[number("Umask", value) for value in (18, 63, 0, 2, 23 + 8, 511)] + [key("Umask", "022"), key("Umask", "0")],
    ),
    Table(
        "P134",
        daemon,
        bad=[number("StartInterval", value) for value in (1, 5, 9, 2)]
        + [number("StartInterval", value) + number("ThrottleInterval", value + 1) for value in (10, 60, 300, 3600)],
        good=[number("StartInterval", value) for value in (10, 60, 300, 3600)]
        + [number("StartInterval", value) + number("ThrottleInterval", value) for value in (1, 5, 60)]
        + [number("ThrottleInterval", 600) + flag("KeepAlive")],
    ),
    Table(
        "P135",
        variable,
        bad=[
            ("ANTHROPIC_API_KEY", secret("sk-", "ant-api03-", "Zm9vYmFyYmF6")), ("GITHUB_TOKEN", secret("ghp", "_A1b2C3d4E5f6G7h8I9j0")),
            ("X", secret("AKIA", "IOSFODNN7EXAMPLQ")), ("DB_PASSWORD", "correct-horse"), ("SLACK", secret("xox", "b-1234567890-abcdef")),
            ("API_SECRET", "9f8e7d6c5b4a"), ("DATABASE_URL", secret("postgres://u:", "hunter22@db/x")), ("OPENAI_API_KEY", secret("sk-", "proj-abcdefghij0123456789")),
            ("MYAPP_AUTH_TOKEN", "a8f5f167f44f4964"), ("K", secret("AIza", "SyA1234567890abcdefghijklmnopqrstu")), ("ADMIN_PASS", "s3cr3tw0rd"),
        ],
        good=[
            ("API_KEY_FILE", "/Users/kim/.key"), ("TOKEN", "$TOKEN"), ("API_KEY", "YOUR_API_KEY"), ("PASSWORD", "changeme"), ("TOKENIZERS_PARALLELISM", "false"),
            ("MAX_TOKENS", "4096000"), ("SECRET_NAME", "prod-db"), ("API_KEY", ""), ("SSH_AUTH_SOCK", "/a/b"), ("PASSWORD_STORE_DIR", "/Users/kim/.pw"),
            ("TOKEN", "/Users/kim/token"), ("API_KEY", "xxxxxxxxxxxx"), ("DATABASE_URL", "postgres://localhost/x"), ("API_KEY", "&lt;your-key-here&gt;"),
        ],
    ),
    Table(
        "P135",
        argv,
        bad=[
            ("/a/b", "--password=correct-horse"), ("/a/b", "--token", "a8f5f167f44f4964"), ("/a/b", "https://h/x?secret=my-times-123"),
            ("/a/b", secret("https://u:", "hunter22@h/x")), ("/bin/sh", "-c", secret("X=1 API_KEY=sk-", "ant-abcdefgh1234 run")),
            ("/a/b", "-H", secret("Authorization: Bearer eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc")),
            ("/a/b", "--api-key=9f8e7d6c5b4a"), ("/a/b", "passwd=letmein99"),
        ],
        good=[
            ("/a/b", "--password-file", "/Users/kim/pw"), ("/a/b", "--token", "/Users/kim/token"), ("/a/b", "--token=$T"), ("/a/b", "--token", "--other"),
            ("/a/b", "https://h/x?page=2"), ("/a/b", "--keyboard=us"), ("/a/b", "--password=YOUR_PASSWORD"), ("/a/b", "http://u@h/x"), ("/a/b", "tokens=100"),
        ],
    ),
    Table(
        "P141",
        daemon,
        bad=[f"<key>WatchPaths</key><array><string>{path}</string></array>" for path in ("/a/*", "/Users/*/x", "/a/*.csv", "/*")]
        + [key(name, "/a/*.log") for name in ("StandardOutPath", "StandardErrorPath", "WorkingDirectory", "StandardInPath")],
        good=[f"<key>WatchPaths</key><array><string>{path}</string></array>" for path in ("/a", "/a/b.csv", "/Users/kim", "/é")]
        + [key(name, "/a/b.log") for name in ("StandardOutPath", "StandardErrorPath", "WorkingDirectory", "StandardInPath")],
    ),
    Table(
        "E101",
        argv,
        bad=[
            ("/usr/bin/env", name) for name in ("npx", "node", "uv", "pup", "claude", "brew", "python", "deno", "mas")
        ] + [("/usr/bin/env", "-i", "A=b", "node"), ("/usr/bin/env", "PATH=/usr/bin", "node")],
        good=[("/usr/bin/env", name) for name in ("rsync", "python3", "bash", "perl", "/opt/homebrew/bin/node", "git", "$NODE", "osascript")]
        + [("/usr/bin/env", "PATH=/opt/homebrew/bin", "node"), ("/usr/local/bin/env", "node")],
    ),
    Table(
        "E102",
        program,
        bad=[f"/opt/homebrew/bin/{name}" for name in ("npx", "npm", "pnpm", "yarn", "tsx", "pm2", "gulp", "wrangler")]
        + ["/Users/kim/.nvm/versions/node/v22.1.0/bin/claude", "/Users/kim/.npm-global/bin/mytool"],
        good=[f"/opt/homebrew/bin/{name}" for name in ("node", "redis-server", "bun", "deno", "colima", "uv", "npmx", "emacs")]
        + ["/Users/kim/.nvm/versions/node/v22.1.0/bin/node", "/Users/kim/.npm-global/lib/mytool"],
    ),
    Table(
        "E103",
        program,
        bad=[
            "/Users/kim/.nvm/versions/node/v22.1.0/bin/node", "/Users/kim/.pyenv/versions/3.12.1/bin/python", "/Users/kim/.rbenv/versions/3.2.0/bin/ruby",
            "/opt/homebrew/Cellar/node/22.1.0/bin/node", "/Users/kim/.asdf/installs/nodejs/20.1.0/bin/node", "/Users/kim/.local/share/mise/installs/node/22.1.0/bin/node",
            "/Users/kim/.rvm/rubies/ruby-3.2.0/bin/ruby", "/usr/local/Cellar/python@3.11/3.11.4/bin/python3", "/Users/kim/.sdkman/candidates/java/17.0.1/bin/java",
        ],
        good=[
            "/opt/homebrew/opt/node/bin/node", "/Users/kim/.pyenv/shims/python", "/Users/kim/.pyenv/versions/tools/bin/python", "/Users/kim/.nvm/current/bin/node",
            "/Users/kim/.volta/bin/node", "/Library/Frameworks/Python.framework/Versions/3.13/bin/python3", "/opt/homebrew/bin/python3.12",
            "/Users/kim/.local/share/mise/shims/node", "/Users/kim/venv/bin/python",
        ],
    ),
    Table(
        "E104",
        argv,
        bad=[
            ("/usr/bin/python3", "a.py"), ("/usr/bin/ruby", "a.rb"), ("/usr/bin/perl", "a.pl"), ("/opt/homebrew/bin/python3.12", "a"), ("/usr/bin/env", "python3", "a.py"),
            ("/Users/kim/venv/bin/python", "-m", "x"), ("/usr/bin/env", "ruby", "a"), ("python3", "a.py"),
        ],
        good=[
            ("/bin/bash", "a.sh"), ("/opt/homebrew/bin/node", "a.js"), ("/usr/local/bin/tidy",), ("/usr/bin/env", "LANG=C", "python3"), ("/bin/zsh", "-c", "python3 a.py"),
            ("/usr/bin/osascript", "a"), ("/usr/bin/env", "bash", "x"), ("/usr/local/bin/pythonista",),
        ],
    ),
    Table(
        "E105",
        folder,
        bad=[
            "/Users/kim/Documents", "/Users/kim/Desktop/a", "/Users/kim/Downloads/x.sh", "/Users/kim/Library/Mobile Documents/com~apple~CloudDocs/a",
            "/Users/kim/Library/CloudStorage/Dropbox/a", "~/Documents/a", "$HOME/Desktop/a", "/Users/kim/Library/Mail/V10",
        ],
        good=[
            "/Users/kim/work/Documents", "/Documents", "/Users/kim/Documents2", "/Users/kim/Dropbox/a", "/Users/Shared/a", "/Users/kim/Library/Logs",
            "/Users/kim/Pictures/a", "/srv/Users/kim/Documents", "/Users/kim/.Desktop",
        ],
    ),
    Table(
        "E106",
        folder,
        bad=["/Volumes/Ext", "/Volumes/Ext/data", "/Volumes/My Disk/a", "/Volumes/backup-1/x", "/Volumes/NAS", "/Volumes/a/b/c", "/Volumes/TimeMachine", "/Volumes/é"],
        good=["/Volumes", "/Volumes/Macintosh HD", "/Volumes/Macintosh HD/a", "/Users/kim/Volumes/a", "/data/Volumes/x", "/Volumes/", "/volumes/a", "/Users/kim"],
    ),
    Table(
        "E107",
        lambda text: job(key("LimitLoadToSessionType", "Background"), argv=("/bin/sh", "-c", str(text))),
        bad=[
            "security find-generic-password -s a -w", "/usr/bin/security find-internet-password -s a", "x=$(security find-generic-password -wa b)",
            "security unlock-keychain -p x", "a; security add-generic-password -s b", "security -q find-generic-password -s a", "security show-keychain-info", "security export -k x",
        ],
        good=["security cms -D", "echo security", "find-generic-password", "ls", "security find-certificate -a", "securityd", "security error 36", "tidy --security high"],
    ),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text", "path"), rows(VALUES, bad=True))
def test_bad(code: str, text: str, path: str) -> None:
    assert code in codes(text, path=path)


@pytest.mark.parametrize(("code", "text", "path"), rows(VALUES, bad=False))
def test_good(code: str, text: str, path: str) -> None:
    assert code not in codes(text, path=path)
