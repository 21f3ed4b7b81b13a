"""The programs of a fresh macOS in launchd's own search path: what a bare name may mean there.

Only names that scripts and jobs are likely to use; developer tools that are stubs until Xcode's command line tools are
there (git, python3, make) count as found.
"""

from __future__ import annotations

_FOLDERS = {
    "/bin": "[ bash cat chmod cp csh dash date dd df echo ed expr hostname kill ksh launchctl link ln ls mkdir mv pax ps pwd rm "
    "rmdir sh sleep stty sync tcsh test unlink wait4path zsh",
    "/sbin": "apfs_boot_util disklabel dmesg dynamic_pager emond fibreconfig fsck halt ifconfig kextload kextunload launchd "
    "md5 mount mount_nfs mount_smbfs mount_webdav newfs_apfs newfs_hfs nologin pfctl ping ping6 quotacheck reboot route "
    "shutdown tunefs umount",
    "/usr/bin": "afplay afconvert afinfo apply apropos ar arch as at atos automator awk banner base64 basename batch bc bg bzip2 "
    "bunzip2 bzcat c++ cal caffeinate cancel cc cd chflags chfn chgrp chsh cksum clang clang++ clear cmp codesign col colrm "
    "column comm command compress cpio crontab csplit cupstestppd curl cut cvs dc defaults desdp diff diff3 dig dirname ditto "
    "dscl dscacheutil dserr du dwarfdump egrep env ex expand expect false fc fdesetup fg fgrep file find fmt fold fsck_cs "
    "ftp fuser g++ gcc gcore genstrings getconf getopt getopts git gktool grep groups gunzip gzcat gzip hash head "
    "hdiutil hexdump hidutil host iconv id indent infocmp install install_name_tool installer ioreg ipcrm ipcs java javac "
    "jobs join jot jq killall kinit klist last lastcomm leave less lessecho libtool line links lipo lldb locale locate lockf "
    "log logger login logname look lp lpq lpr lprm lpstat lsappinfo lsbom lsof lsvfs m4 mail mailq mailx make man "
    "mcxquery md5sum mdfind mdimport mdls mdutil mesg mkfifo mktemp mnthome more nano nc net-snmp-config netstat "
    "nettop newaliases nice nl nm nohup notifyutil nscurl nslookup nsupdate objdump od open opensnoop openssl osacompile "
    "osadecompile osalang osascript otool pagesize passwd paste patch pathchk pbcopy pbpaste perl pgrep pico pkgbuild "
    "pkgutil pkill plutil pmset pr printenv printf productbuild profiles python3 pip3 qlmanage "
    "quota ranlib read readlink realpath rev rsync ruby gem sandbox-exec sample say scp screen script scutil "
    "security sed seq sfltool sftp sha256sum shasum shlock shortcuts shuf sips size softwareupdate sort spctl split sqlite3 "
    "ssh ssh-add ssh-agent ssh-copy-id ssh-keygen ssh-keyscan stat strings strip su sudo sw_vers swift swiftc syslog "
    "tab2space tail talk tar tccutil tclsh tee telnet textutil tic time tmutil top touch tput tr true tset tsort tty type "
    "ulimit umask uname uncompress unexpand unifdef uniq units unzip uptime users uucp uudecode uuencode uuidgen "
    "vi view vim vimdiff vm_stat w wait wall wc what whatis whereis which who whoami whois wish write xar xargs "
    "xattr xcode-select xcodebuild xcrun xmllint xsltproc xxd yes zcat zcmp zdiff zgrep zip zipinfo zless zmore zprint "
    "screencapture osalang networkQuality bioutil tops ssh-keychain memory_pressure sysdiagnose vmmap leaks heap",
    "/usr/sbin": "ac accton addpart apachectl arp asr AssetCacheManagerUtil automount bless blued chown chroot cron cupsctl "
    "cupsd cupsfilter dev_mkdb diskutil distnoted dtrace fdesetup fs_usage gpioctl httpd installer ioreg iostat "
    "ipconfig kextcache kextstat lpadmin lsof mDNSResponder mkfile mtree natutil ndp netbiosd networksetup newsyslog nfsd "
    "notifyd ntpdate nvram pcscd periodic pkgutil postfix pppd purge pwd_mkdb racoon rpcbind rpcinfo "
    "scselect scutil sendmail serverinfo setkey sntp softwareupdate spctl spindump sshd sysadminctl "
    "sysctl syslogd system_profiler systemsetup systemstats taskpolicy tcpdump traceroute traceroute6 "
    "trimforce universalaccessd vipw visudo vpnd wdutil WirelessRadioManagerd xartutil zdump zic "
    "purge dseditgroup dsconfigad dsenableroot createhomedir kadmin.local",
}

STANDARD_PROGRAMS: dict[str, str] = {
    name: f"{folder}/{name}" for folder, names in reversed(_FOLDERS.items()) for name in names.split()
}
