/* What x86-64's kernel writes, in types of these widths. */
struct kstat {
	unsigned long long st_dev, st_ino, st_nlink;
	mode_t st_mode;
	uid_t st_uid;
	gid_t st_gid;
	unsigned int __pad0;
	unsigned long long st_rdev;
	long long st_size, st_blksize, st_blocks;
	long long st_atime_sec, st_atime_nsec, st_mtime_sec, st_mtime_nsec, st_ctime_sec, st_ctime_nsec;
	long long __unused[3];
};
